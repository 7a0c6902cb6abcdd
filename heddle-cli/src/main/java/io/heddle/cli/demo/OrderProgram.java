package io.heddle.cli.demo;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Starts ten goroutines on one P, each of which records its number; returns the order of the
 * numbers.
 */
final class OrderProgram implements Callable<List<Integer>> {
  /**
   * The order that Go's run queue gives: the goroutine started last, then the others in order of
   * creation.
   */
  static final List<Integer> EXPECTED = List.of(9, 0, 1, 2, 3, 4, 5, 6, 7, 8);

  /** The source of {@link #call}, as the demo prints it; a test compares the two. */
  static final String TEXT =
      """
      scheduler.run(() -> {
        var done = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
          int n = i;
          Go.go(() -> { print(n); done.countDown(); });
        }
        done.await();
      });
      """;

  private final Queue<Integer> printed = new ConcurrentLinkedQueue<>();

  @Override
  public List<Integer> call() throws Exception {
    printed.clear();
    try (var scheduler = patient().build()) {
      scheduler.run(
          () -> {
            var done = new CountDownLatch(10);
            for (int i = 0; i < 10; i++) {
              int n = i;
              Go.go(
                  () -> {
                    print(n);
                    done.countDown();
                  });
            }
            done.await();
          });
    }
    return List.copyOf(printed);
  }

  /**
   * Uses a long time slice, because on a busy machine the operating system may suspend the main
   * goroutine, and its slice must not expire then.
   */
  private static Scheduler.Builder patient() {
    return Scheduler.builder().name("order").procs(1).timeSlice(Duration.ofMinutes(1));
  }

  private void print(int n) {
    printed.add(n);
  }
}
