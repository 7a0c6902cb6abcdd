package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.note.Note;

/** Calls that are known to block the OS thread: the P is free meanwhile (rules S2, S5, N3). */
public final class BlockingCalls {
  /*
   * Go leaves the P with its M, in a state of its own, for sysmon to take after a while: most of its system calls are
   * short. What is marked here is said to block, so the P goes idle at once, and anybody can take it.
   *
   * A goroutine may step off its M in the middle, since the call may be any code: then the M is in no call any more (the
   * JDK tells it, Carrier.endBlocking), and the goroutine goes on elsewhere as if it had never been in one.
   *
   * A P that is stopped when the call begins is not given up, and is this M's still when the call is over, unless sysmon
   * has taken it meanwhile. The M must not take another one then: who has two never comes back to the first.
   */
  private final Sched sched;

  BlockingCalls(Sched sched) {
    this.sched = sched;
  }

  /** The goroutine that calls, and runs on {@code m}, is about to block. */
  void enter(M m) {
    StackHeadroom.ensure();
    if (!m.enterCall() || sched.driver != null) {
      return;
    }
    boolean pinned = VirtualThreads.pin(); // with a P in its hands it must not step off
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

  /** It is done; without a P to be had it waits for one. */
  void exit(M m) {
    if (!m.exitCall() || m.hasClaim() || sched.driver != null) {
      return;
    }
    P old = m.call.takeGivenUp();
    if (old != null && sched.spinning.take(old)) {
      goOn(m, old);
      return;
    }
    if (old != null) {
      sched.handOff.recordHandOff(HandOff.Reason.MARKED);
      sched.tracing.marked(m, old);
    }
    P idle = sched.spinning.takeIdleP();
    if (idle != null) {
      goOn(m, idle);
    } else {
      // To the global queue; the M parks. A pinned one goes on without a P: see Preempt.
      Mounter.current().yieldNow();
    }
  }

  private static void goOn(M m, P p) {
    m.acquireP(p);
    m.leaveScheduler(p);
  }

  /** The calling goroutine is about to block; false if the caller is none. */
  public static boolean enter() {
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    if (m == null) {
      return false;
    }
    m.sched.syscalls.enter(m);
    return true;
  }

  /** Behind an {@link #enter} that was true. */
  public static void exit() {
    if (VirtualThreads.carrier() instanceof M m) {
      m.sched.syscalls.exit(m);
    }
  }

  /** A goroutine, or another thread, sleeps on {@code note} (N3); as {@link Note#sleep(long)}. */
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
