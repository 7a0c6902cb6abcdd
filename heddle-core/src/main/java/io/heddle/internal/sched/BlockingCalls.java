package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;

/**
 * Begins and ends marked calls. A marked call was announced as blocking the OS thread, by {@code
 * Go.blocking} or by the JDK. While it lasts, other Ms can use the P of the M that it blocks (rules
 * S2, S5, N3).
 */
public final class BlockingCalls {
  /*
   * Entering a call:
   *   1. Release the P; it becomes idle at once.
   *   2. Look at the queues once more (recheckAfterIdle): a submitter that saw no idle P woke no M.
   * Leaving a call:
   *   1. Acquire the same P if it is idle.
   *   2. Else acquire another idle P.
   *   3. Else yield: the goroutine goes to the global queue, and the M sleeps.
   *
   * A goroutine may unmount from its M during a marked call, because Go.blocking accepts any code.
   * From then on the M counts as being in no call: the JDK calls Carrier.endBlocking after each
   * unmount. The goroutine continues on its next M as if it had never been in a call.
   *
   * A P that is stopped (StopTheWorld) when the call begins is not released. When the call ends,
   * this M still owns that P, unless sysmon has retaken it. An M that still owns a P (M.hasClaim)
   * must not acquire another: an M that owned two Ps would never release the first.
   *
   * Differences from Go: in an ordinary system call, Go leaves the P with its M. Sysmon retakes the
   * P after a while, because most system calls are short. A marked call is declared to block, so
   * its P becomes idle at once, and any M can acquire it.
   *
   * Checked by: JdkBlockingTest.
   */
  private final Sched sched;

  BlockingCalls(Sched sched) {
    this.sched = sched;
  }

  /**
   * Begins a marked call of the calling goroutine, which runs on {@code m}. If it is the outermost
   * one, makes the P of {@code m} idle.
   */
  void enter(M m) {
    StackHeadroom.ensure();
    if (!m.enterCall() || sched.driver != null) {
      return;
    }
    boolean pinned = VirtualThreads.pin(); // the goroutine must stay on m, whose P it releases
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
   * Ends a marked call of the calling goroutine, which runs on {@code m}. After the outermost one,
   * {@code m} acquires an idle P. If no P is idle, the goroutine waits for one in the global queue.
   * A pinned goroutine cannot wait there, so it continues without a P.
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
      // The goroutine goes to the global queue, and the M sleeps. A pinned goroutine (with a native
      // frame on its stack) cannot unmount, so it continues without a P: see Stragglers.
      Mounter.current().yieldNow();
    }
  }

  private static void resume(M m, P p) {
    m.acquireP(p);
    m.leaveScheduler(p);
  }

  /**
   * Begins a marked call of the calling goroutine. Does nothing and returns false if the caller is
   * no goroutine.
   */
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
   * Sleeps on {@code note} like {@link Note#sleep(long)}, and returns true after a wakeup, false
   * after a timeout. If the caller is a goroutine, the sleep is a marked call, so that other Ms can
   * use its P meanwhile (N3).
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
