package io.heddle.cli.demo;

/**
 * The amount of work in the demo.
 *
 * @param procs how many goroutines run at the same time
 * @param orderRuns how often the order program runs
 * @param burst how many goroutines the section on stealing starts
 * @param warmUps how many warm-up rounds each runner gets before the race
 * @param warmUpSize how many goroutines a warm-up round starts
 * @param rounds how many rounds the race has
 * @param goroutines how many goroutines a round of the race starts
 * @param parked how many goroutines are parked to measure their size
 * @param hogMillis how long the endless loops run, in milliseconds
 */
public record DemoSize(
    int procs,
    int orderRuns,
    int burst,
    int warmUps,
    int warmUpSize,
    int rounds,
    int goroutines,
    int parked,
    int hogMillis) {
  /**
   * Heap per goroutine that was started and has not run yet, with room for the collector to move
   * it.
   */
  private static final long BYTES_STARTED = 800;

  /** Heap per parked goroutine, which also has a stack. */
  private static final long BYTES_PARKED = 2_000;

  public static DemoSize full() {
    return new DemoSize(cpus(), 100, 10_000, 4, 1_000_000, 5, 1_000_000, 200_000, 2_000);
  }

  public static DemoSize quick() {
    return new DemoSize(cpus(), 20, 2_000, 3, 100_000, 3, 100_000, 50_000, 500);
  }

  public DemoSize withProcs(int n) {
    return new DemoSize(
        n, orderRuns, burst, warmUps, warmUpSize, rounds, goroutines, parked, hogMillis);
  }

  public DemoSize withGoroutines(int n) {
    return new DemoSize(procs, orderRuns, burst, warmUps, warmUpSize, rounds, n, parked, hogMillis);
  }

  /** A copy with at most as many goroutines as fit into {@code maxHeap} bytes. */
  DemoSize fitting(long maxHeap) {
    int started = Math.clamp(maxHeap / BYTES_STARTED, 1, Integer.MAX_VALUE);
    int parkable = Math.clamp(maxHeap / BYTES_PARKED, 1, Integer.MAX_VALUE);
    return new DemoSize(
        procs,
        orderRuns,
        burst,
        warmUps,
        Math.min(warmUpSize, started),
        rounds,
        Math.min(goroutines, started),
        Math.min(parked, parkable),
        hogMillis);
  }

  private static int cpus() {
    return Math.min(1024, Runtime.getRuntime().availableProcessors());
  }
}
