package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;

/**
 * Begins and ends marked calls, which are known to block the OS thread. While such a call lasts,
 * the P of its M is free for other Ms (rules S2, S5, N3).
 */
public final class BlockingCalls {
  /*
   * Entering a call: 1. Release the P; it becomes idle at once. 2. Look at the queues once more
   * (recheckAfterIdle). Leaving it: 1. Acquire the same P if it is idle. 2. Else acquire another
   * idle P. 3. Else yield: the goroutine goes to the global queue, and the M parks.
   *
   * A goroutine may step off its M in the middle of a call, because the call may be any code. From
   * then on the M counts as being in no call; the JDK tells the M so by Carrier.endBlocking. The
   * goroutine continues elsewhere as if it had never been in a call.
   *
   * A P that is stopped (StopTheWorld) when the call begins is not released. When the call ends,
   * this M still owns that P, unless sysmon has retaken it. While the M still owns that P
   * (M.hasClaim), it must not acquire another: an M that owned two Ps would never release the
   * first.
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
    boolean pinned = VirtualThreads.pin(); // in the scheduler the goroutine must stay on its M
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

  /**
   * Ends a marked call of the calling goroutine, which runs on {@code m}. If no P is idle, the
   * goroutine waits for one, unless it is pinned.
   */
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
      // The goroutine goes to the global queue, and the M parks. A pinned goroutine cannot step off
      // its M, so it continues without a P: see Preempt.
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

  /**
   * Ends a marked call of the calling goroutine. The caller's {@link #enter()} must have returned
   * true.
   */
  public static void exit() {
    if (VirtualThreads.carrier() instanceof M m) {
      m.sched.syscalls.exit(m);
    }
  }

  /**
   * Sleeps on {@code note} like {@link Note#sleep(long)}. If the caller is a goroutine, the sleep
   * is a marked call, so that its P is free meanwhile (N3).
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
