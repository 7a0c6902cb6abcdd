package io.heddle.internal.watch;

/**
 * What was seen while the probe waited. It distinguishes a starvation from a machine without a free
 * CPU.
 *
 * <p>If a carrier is idle and nothing but the probe is queued, the scheduler has done its part, and
 * the carrier waits for the operating system: another process has the CPUs, the container has used
 * up its quota, or the collector has stopped the JVM. No code of the program is the cause of such a
 * wait.
 */
final class OpenWait {
  private boolean isLate;
  private boolean isSampled;
  private boolean isHeld;

  /** Forgets what was seen, because the next wait begins. */
  void reset() {
    isLate = false;
    isSampled = false;
    isHeld = false;
  }

  /** Records that the watch itself ran late. */
  void late() {
    isLate = true;
  }

  /**
   * Takes a sample, and returns whether all carriers were held.
   *
   * @param holds the number of carriers that run a virtual thread
   * @param carriers the number of carriers that exist or may be started
   * @param queued the number of virtual threads that wait, without the probe; if there are any, a
   *     carrier that runs no virtual thread is about to run the next one
   */
  boolean sampled(int holds, int carriers, long queued) {
    boolean all = holds >= carriers || (holds > 0 && queued > 0);
    isSampled = true;
    isHeld |= all;
    return all;
  }

  /**
   * Whether the wait is a starvation: a sample has found all carriers held. A wait that ended
   * before a sample could be taken also counts, unless the watch itself ran late.
   */
  boolean isStarvation() {
    return isHeld || (!isSampled && !isLate);
  }
}
