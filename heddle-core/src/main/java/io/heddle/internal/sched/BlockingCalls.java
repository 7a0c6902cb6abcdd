package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;

/**
 * Marked calls, which are known to block the OS thread: the P is free meanwhile (rules S2, S5, N3).
 */
public final class BlockingCalls {
  /*
   * Entering a call: 1. Release the P; it becomes idle at once. 2. Look at the queues once more
   * (recheckAfterIdle). Leaving it: 1. Acquire the same P if it is idle. 2. Else acquire another
   * idle P. 3. Else yield: the goroutine goes to the global queue, and the M parks.
   *
   * A goroutine may step off its M in the middle, because the call may be any code. From then on
   * the M is in no call (the JDK tells it by Carrier.endBlocking). The goroutine continues
   * elsewhere as if it had never been in one.
   *
   * A P that is stopped when the call begins is not released. It is still this M's when the call
   * ends, unless sysmon has retaken it. While it is (M.hasClaim), the M must not acquire another P:
   * an M that owned two would never release the first.
   *
   * Differences from Go: Go leaves the P with its M, in a state of its own, and sysmon retakes it
   * after a while, because most system calls are short. A call that is marked here is declared to
   * block, so its P becomes idle at once and any M can acquire it.
   *
   * Checked by: JdkBlockingTest.
   */
  private final Sched sched;

  BlockingCalls(Sched sched) {
    this.sched = sched;
  }

  /** Begins a marked call of the calling goroutine, which runs on {@code m}. */
  void enter(M m) {
    StackHeadroom.ensure();
    if (!m.enterCall() || sched.driver != null) {
      return;
    }
    boolean pinned = VirtualThreads.pin(); // while it owns a P it must not step off its M
    try {
      P p = m.enterScheduler();
      if (p != null) {
        m.call.remember(p);
        sched.spinning.giveUp(m, p);
        sched.handOff.recheckAfterIdle();
      }
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
  }

  /** Ends the call. If no P is idle, waits for one. */
  void exit(M m) {
    if (!m.exitCall() || m.hasClaim() || sched.driver != null) {
      return;
    }
    P old = m.call.takeGivenUp();
    if (old != null && sched.spinning.take(old)) {
      resume(m, old);
      return;
    }
    if (old != null) {
      sched.handOff.recordHandOff(HandOff.Reason.MARKED);
      sched.tracing.marked(m, old);
    }
    P idle = sched.spinning.takeIdleP();
    if (idle != null) {
      resume(m, idle);
    } else {
      // To the global queue; the M parks. A pinned goroutine continues without a P: see Preempt.
      Mounter.current().yieldNow();
    }
  }

  private static void resume(M m, P p) {
    m.acquireP(p);
    m.leaveScheduler(p);
  }

  /** Begins a marked call of the calling goroutine; false if the caller is no goroutine. */
  public static boolean enter() {
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    if (m == null) {
      return false;
    }
    m.sched.syscalls.enter(m);
    return true;
  }

  /** Ends a marked call after an {@link #enter()} that returned true. */
  public static void exit() {
    if (VirtualThreads.carrier() instanceof M m) {
      m.sched.syscalls.exit(m);
    }
  }

  /**
   * Sleeps on {@code note} like {@link Note#sleep(long)}, as a marked call if called by a goroutine
   * (N3).
   */
  static boolean sleep(Note note, long nanos) {
    boolean entered = enter();
    try {
      return note.sleep(nanos);
    } finally {
      if (entered) {
        exit();
      }
    }
  }
}
