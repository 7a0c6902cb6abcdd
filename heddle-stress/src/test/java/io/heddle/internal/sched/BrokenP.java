package io.heddle.internal.sched;

import java.util.concurrent.atomic.AtomicLong;

/** The broken twin of {@link P}: a copy of its word, without one step of the protocol. */
final class BrokenP implements Proc {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /** enter checks, then stores: a stop in between is lost. */
    ENTER_WITHOUT_CAS,
    /** tryTake checks, then stores. */
    TAKE_WITHOUT_CAS,
    /** tryTake does not begin a new epoch. */
    SAME_EPOCH,
    /** leave comes before the owner's last write. */
    LEAVE_TOO_EARLY,
    /** The restart comes before the stopper's last write. */
    RESTART_TOO_EARLY
  }

  private final Fault fault;
  private final AtomicLong word = new AtomicLong(word(0, P.STOPPED));
  private boolean only;

  BrokenP(Fault fault) {
    this.fault = fault;
  }

  @Override
  public boolean enter(long epoch) {
    return move(word(epoch, P.USER), word(epoch, P.SCHED), Fault.ENTER_WITHOUT_CAS);
  }

  @Override
  public void leaveWith(boolean now, long epoch) {
    release(now, word(epoch, P.USER), Fault.LEAVE_TOO_EARLY);
  }

  @Override
  public boolean tryTake() {
    long w = word.get();
    long next = epoch(w) + (fault == Fault.SAME_EPOCH ? 0 : 1);
    return state(w) == P.IDLE && move(w, word(next, P.SCHED), Fault.TAKE_WITHOUT_CAS);
  }

  @Override
  public boolean tryStopIdle() {
    long w = word.get();
    return state(w) == P.IDLE && word.compareAndSet(w, word(epoch(w) + 1, P.STOPPED));
  }

  @Override
  public boolean tryStopUser() {
    long w = word.get();
    return state(w) == P.USER && word.compareAndSet(w, word(epoch(w), P.STOPPED));
  }

  @Override
  public void restartWithOwner(boolean now) {
    release(now, word(epoch(), P.USER), Fault.RESTART_TOO_EARLY);
  }

  @Override
  public void restartIdle() {
    word.set(word(epoch(), P.IDLE));
  }

  @Override
  public long epoch() {
    return epoch(word.get());
  }

  @Override
  public boolean only() {
    return only;
  }

  private boolean move(long expected, long next, Fault withoutCas) {
    if (fault != withoutCas) {
      return word.compareAndSet(expected, next);
    }
    if (word.get() != expected) {
      return false;
    }
    word.set(next);
    return true;
  }

  private void release(boolean now, long next, Fault tooEarly) {
    if (fault == tooEarly) {
      word.set(next);
      only = now;
    } else {
      only = now;
      word.setRelease(next);
    }
  }

  private static long word(long epoch, int state) {
    return epoch << 3 | state;
  }

  private static long epoch(long word) {
    return word >>> 3;
  }

  private static int state(long word) {
    return (int) (word & 7);
  }
}
