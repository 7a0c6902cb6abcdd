package io.heddle.internal.watch;

/**
 * What was seen while the probe waited: it tells a starvation from a machine without a free CPU.
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

  /** Begins with the next wait. */
  void reset() {
    isLate = false;
    isSampled = false;
    isHeld = false;
  }

  /** The watch itself ran late. */
  void late() {
    isLate = true;
  }

  /**
   * Takes a sample, and returns whether all carriers were held.
   *
   * @param holds the carriers that run a virtual thread
   * @param carriers the carriers that there are, or may be
   * @param queued the virtual threads that wait beside the probe; if there are any, a carrier that
   *     runs none is between two of them
   */
  boolean sampled(int holds, int carriers, long queued) {
    boolean all = holds >= carriers || (holds > 0 && queued > 0);
    isSampled = true;
    isHeld |= all;
    return all;
  }

  /**
   * Whether carriers were held. A wait that ended before a sample could be taken counts, unless the
   * watch itself had to wait as well.
   */
  boolean isStarvation() {
    return isHeld || (!isSampled && !isLate);
  }
}
