package io.heddle.internal.sched;

import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;

/** The common interface of {@link P} and {@link BrokenP}, so that one scene can test both. */
interface Proc {
  boolean enter(long epoch);

  /** Writes a field that only the owner may write, then leaves. */
  void leaveWith(boolean only, long epoch);

  boolean tryTake();

  boolean tryStopIdle();

  boolean tryStopUser();

  /** Writes a field that only the owner may write, then returns the P to the M that had it. */
  void restartWithOwner(boolean only);

  /** The P has no owner any more. */
  void restartIdle();

  long epoch();

  /** The last owner's write. */
  boolean only();

  /** The P is in user code with an M; returns the epoch. */
  static <T extends Proc> T inUser(T stopped) {
    stopped.restartIdle();
    boolean _ = stopped.tryTake();
    stopped.leaveWith(false, stopped.epoch());
    return stopped;
  }

  static <T extends Proc> T idle(T stopped) {
    stopped.restartIdle();
    return stopped;
  }

  /** The P is in the scheduler with an M. */
  static <T extends Proc> T inSched(T stopped) {
    stopped.restartIdle();
    boolean _ = stopped.tryTake();
    return stopped;
  }

  /** The real P. */
  record Sound(P p) implements Proc {
    Sound() {
      this(new P(0, new RunQueue<>(2, (_, _, _) -> {}), new TimerHeap(Thread::yield, _ -> {})));
    }

    @Override
    public boolean enter(long epoch) {
      return p.enter(epoch);
    }

    @Override
    public void leaveWith(boolean only, long epoch) {
      p.setProcs(only ? 1 : 2);
      p.leave(epoch);
    }

    @Override
    public boolean tryTake() {
      return p.tryTake();
    }

    @Override
    public boolean tryStopIdle() {
      return p.tryStopIdle();
    }

    @Override
    public boolean tryStopUser() {
      return p.tryStopUser();
    }

    @Override
    public void restartWithOwner(boolean only) {
      p.setProcs(only ? 1 : 2);
      p.restartWithOwner();
    }

    @Override
    public void restartIdle() {
      p.restartIdle();
    }

    @Override
    public long epoch() {
      return p.epoch();
    }

    @Override
    public boolean only() {
      return p.isOnly();
    }
  }
}
