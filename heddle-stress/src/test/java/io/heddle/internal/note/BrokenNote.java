package io.heddle.internal.note;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The broken twin of {@link Note}: a copy of its timed half, without one step of the protocol. */
final class BrokenNote implements Event {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /**
     * A sleeper checks whether the wakeup has come, then stores itself: a wakeup in between is
     * lost.
     */
    REGISTER_WITHOUT_CAS,
    /** A sleeper stores null after its timeout: a wakeup that came just before is lost. */
    GIVE_UP_WITHOUT_CAS
  }

  private static final Object SIGNALED = new Object();

  private final Fault fault;
  private final AtomicReference<Object> key = new AtomicReference<>();

  BrokenNote(Fault fault) {
    this.fault = fault;
  }

  @Override
  public boolean sleep(long nanos) {
    if (!register()) {
      return true;
    }
    long deadline = System.nanoTime() + nanos;
    while (key.get() != SIGNALED) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return !giveUp();
      }
      LockSupport.parkNanos(this, left);
    }
    return true;
  }

  @Override
  public void wakeup() {
    Object before = key.getAndSet(SIGNALED);
    if (before == SIGNALED) {
      throw new IllegalStateException("note: a second wakeup without a clear in between");
    }
    if (before instanceof Thread sleeper) {
      LockSupport.unpark(sleeper);
    }
  }

  private boolean register() {
    if (fault == Fault.REGISTER_WITHOUT_CAS) {
      Object before = key.get();
      if (before == null) {
        key.set(Thread.currentThread());
      }
      return before == null;
    }
    return key.compareAndExchange(null, Thread.currentThread()) == null;
  }

  private boolean giveUp() {
    if (fault == Fault.GIVE_UP_WITHOUT_CAS) {
      key.set(null);
      return true;
    }
    return key.compareAndSet(Thread.currentThread(), null);
  }
}
