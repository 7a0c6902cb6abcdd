package io.heddle;

import java.time.Duration;

/** Schedulers with one P, on which goroutines run in a known order. */
final class OneP {
  private OneP() {}

  /** Has a slice so long that sysmon takes no P when the machine pauses. */
  static Scheduler scheduler() {
    return Scheduler.builder().procs(1).timeSlice(Duration.ofHours(1)).build();
  }

  /**
   * Runs {@code main} as the first goroutine, then waits for all goroutines that it has started.
   */
  static void run(Task main) throws Exception {
    try (Scheduler scheduler = scheduler()) {
      scheduler.run(main);
    }
  }
}
