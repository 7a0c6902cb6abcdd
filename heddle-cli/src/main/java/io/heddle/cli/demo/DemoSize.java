package io.heddle.cli.demo;

/**
 * How much the demo does.
 *
 * @param procs how many goroutines run at the same time
 * @param orderRuns how often the order program runs
 * @param burst how many goroutines one goroutine starts in the section on stealing
 * @param warmUps how often each runner starts goroutines before the race
 * @param warmUpSize how many each of those times
 * @param rounds how often each runner starts goroutines in the race
 * @param goroutines how many each of those times
 * @param parked how many are parked to see what they weigh
 * @param hogMillis how long endless loops compute
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
  /** Of heap, for one that was started and has not run yet, and room for the collector to move it. */
  private static final long BYTES_STARTED = 800;

  /** The same for one that is parked, and so has a stack. */
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

  /** The same, but for no more goroutines than fit into {@code maxHeap} bytes. */
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
