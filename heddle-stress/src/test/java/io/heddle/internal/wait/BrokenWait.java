package io.heddle.internal.wait;

import java.util.concurrent.atomic.AtomicLong;

/** The broken twin of {@link WaitState}: a copy of its word, without one step of the protocol. */
final class BrokenWait implements Ending {
  /** The omitted step. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    /** A firing thread checks whether the round is open, then stores its end. */
    FIRE_WITHOUT_CAS,
    /** The waiter checks whether the round is open, then stores that it has given up. */
    GIVE_UP_WITHOUT_CAS,
    /** A late thread checks only whether the wait is open, not in which round. */
    NO_ROUND
  }

  // As in WaitState.
  private static final long END_MASK = (1L << 16) - 1;

  private final Fault fault;
  private final AtomicLong word = new AtomicLong();

  BrokenWait(Fault fault) {
    this.fault = fault;
  }

  @Override
  public long begin() {
    long round = (word.get() | END_MASK) + 1;
    word.set(round);
    return round;
  }

  @Override
  public boolean fire(long round, int index) {
    if (fault == Fault.NO_ROUND) {
      long now = word.get();
      return (now & END_MASK) == 0 && end(now, index + 1, fault);
    }
    return end(round, index + 1, Fault.FIRE_WITHOUT_CAS);
  }

  @Override
  public boolean giveUp(long round) {
    return end(round, END_MASK, Fault.GIVE_UP_WITHOUT_CAS);
  }

  @Override
  public int ended(long round) {
    long w = word.get();
    long end = w & END_MASK;
    return w - end != round || end == END_MASK ? -1 : (int) end - 1;
  }

  private boolean end(long round, long how, Fault withoutCas) {
    if (fault != withoutCas || fault == Fault.NO_ROUND) {
      return word.compareAndSet(round, round | how);
    }
    if (word.get() != round) {
      return false;
    }
    word.set(round | how);
    return true;
  }
}
