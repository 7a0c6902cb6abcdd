package io.heddle;

import java.time.Duration;

/** Schedulers with one P, on which goroutines run in an order that is known. */
final class OneP {
  private OneP() {}

  /** With a slice so long that a pause of the machine is not taken for a goroutine that computes. */
  static Scheduler scheduler() {
    return Scheduler.builder().procs(1).timeSlice(Duration.ofHours(1)).build();
  }

  /** Runs {@code main} as the first goroutine, then waits for all it has started. */
  static void run(Task main) throws Exception {
    try (Scheduler scheduler = scheduler()) {
      scheduler.run(main);
    }
  }
}
