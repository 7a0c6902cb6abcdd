package io.heddle.internal.jdk;

import java.util.concurrent.locks.LockSupport;

/**
 * Tries an {@link OwnMounter} with one virtual thread, which runs, yields, parks and ends.
 *
 * <p>The trial detects an incompatible JVM at start-up. It also links all method handles. Otherwise
 * they would be linked in a goroutine's first switch, where the stack may be nearly exhausted.
 */
final class MounterTrial {
  /*
   * The thread of the trial is no thread of the program, so debuggers, profilers and flight
   * recordings must not show it: see HeddleMount.hide.
   */
  private final OwnMounter mounter;

  MounterTrial(OwnMounter mounter) {
    this.mounter = mounter;
  }

  /**
   * Runs the trial.
   *
   * @throws IllegalStateException if the trial failed, or does not end in time
   */
  void run() {
    TrialThread.run(TrialThread.LIMIT, this::carry);
  }

  private void carry() {
    Thread thread = VirtualThreads.newThread(_ -> {}, "heddle-trial", () -> {});
    OwnMounter.hide(thread, () -> yieldAndPark(thread));
    thread.start();
    runOnce(thread);
    require(VirtualThreads.hasYielded(thread), "yield");
    runOnce(thread);
    require(VirtualThreads.isParked(thread), "park");
    if (!VirtualThreads.tryUnpark(thread)) { // Heddle does not write states here
      LockSupport.unpark(thread);
    }
    runOnce(thread);
    require(VirtualThreads.isTerminated(thread), "end");
  }

  private void runOnce(Thread thread) {
    mounter.run(thread, _ -> null);
  }

  private static void yieldAndPark(Thread self) {
    require(OwnMounter.tryYield(self), "yield");
    require(OwnMounter.tryPark(self, self), "park");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("a thread did not " + what);
    }
  }
}
