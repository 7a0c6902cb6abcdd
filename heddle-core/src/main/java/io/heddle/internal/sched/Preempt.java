package io.heddle.internal.sched;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;

/** Lets woven code ask whether its goroutine must yield (rule S6). */
public final class Preempt {
  /*
   * Woven code is code to which the agent has added checks. A check reads a flag, which all
   * schedulers of the JVM share, and calls yieldIfAsked if the flag is up. In this call only a
   * goroutine whose M has been asked to yield does yield. The call costs time in every other
   * thread, so the flag is up only for a short time.
   *   Raised: when a goroutine has used up its time slice and another one waits for its P.
   *   Lowered: at the next look of the monitor (Sysmon) after that goroutine has yielded. If the
   *   monitor has retaken its P by force, the flag stays up a little longer, so that the goroutine
   *   can reach a check (RetakePolicy, Stragglers).
   *
   * A goroutine cannot yield if a native frame or a class initialiser is on its stack, or if the
   * stack is almost full. The failure is recorded in its M (Slice.yieldFailed), so that the monitor
   * does not wait for the goroutine to yield.
   *
   * Checked by: PreemptTest, WeaverTest.
   */

  private Preempt() {}

  /**
   * Yields if the M of the calling goroutine was asked to. In a scheduler with a {@link Driver},
   * lets the driver switch goroutines instead. Woven code calls this on any thread, so it must not
   * throw.
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
      // The goroutine does not yield now. If others wait, sysmon retakes the P of its M by force.
    }
  }

  private static void yieldFrom(M m) {
    int tick = m.slice.tick();
    try {
      StackHeadroom.ensure();
      Mounter.current().yieldNow();
    } finally {
      // If the M and the tick (the number of its slice) are unchanged, the goroutine has not
      // yielded. Otherwise it has a new slice, for which no failure must be recorded.
      if (M.ofCaller() == m && m.slice.tick() == tick) {
        m.slice.yieldFailed();
      }
    }
  }
}
