package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;

/** Lets woven code ask whether its goroutine must yield (rule S6). */
public final class Preempt {
  /*
   * A flag, which all schedulers of the JVM share, makes woven code call yieldIfAsked, on any
   * thread that runs such code. Only a goroutine whose M has been asked to yield does yield there.
   * Because each call costs all woven code, the flag is up only for a short time: from when a
   * goroutine waits for the P of one that has had its slice, until that one has yielded, or has
   * lost its P by force and used its grace (RetakePolicy, Stragglers).
   *
   * A goroutine that cannot yield, because a native frame or a class initialiser is on its stack,
   * or because the stack is almost full, tells its M so (Slice.yieldFailed): then the monitor need
   * not wait for that goroutine to yield.
   *
   * Checked by: PreemptTest, WeaverTest.
   */

  private Preempt() {}

  /**
   * Yields if the M of the calling goroutine was asked to. Called by woven code, on any thread;
   * never throws.
   */
  public static void yieldIfAsked() {
    if (!Thread.currentThread().isVirtual()) {
      return;
    }
    try {
      M m = M.ofCaller();
      Driver driver = m == null ? null : m.sched.driver;
      if (driver != null) {
        driver.yieldPoint();
      } else if (m != null && m.isAskedToYield()) {
        yieldFrom(m);
      }
    } catch (StackOverflowError | OutOfMemoryError e) {
      // The goroutine does not yield now. Sysmon retakes the P of its M by force.
    }
  }

  private static void yieldFrom(M m) {
    int tick = m.slice.tick();
    try {
      StackHeadroom.ensure();
      Mounter.current().yieldNow();
    } finally {
      // If the M and the tick are unchanged, the goroutine has not yielded. Otherwise it has a new
      // slice, and may have been asked again.
      if (M.ofCaller() == m && m.slice.tick() == tick) {
        m.slice.yieldFailed();
      }
    }
  }
}
