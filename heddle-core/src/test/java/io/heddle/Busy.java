package io.heddle;

import io.heddle.internal.jdk.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Goroutines that compute, and so keep a P each, until they are told to stop. */
final class Busy implements AutoCloseable {
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger ready = new AtomicInteger();
  private final List<Goroutine> goroutines = new ArrayList<>();
  private volatile boolean over;

  /**
   * Returns a builder for schedulers with a time slice of an hour, so that a computing goroutine
   * keeps its P for as long as a test takes.
   */
  static Scheduler.Builder withLongSlice() {
    return Scheduler.builder().timeSlice(Duration.ofHours(1));
  }

  /** Starts {@code n} goroutines. Returns when all of them are running. */
  static Busy start(Scheduler scheduler, int n) {
    return start(scheduler, n, () -> {});
  }

  /** Starts {@code n} goroutines that each run {@code first} as soon as all of them are running. */
  static Busy start(Scheduler scheduler, int n, Task first) {
    Busy busy = new Busy();
    for (int i = 0; i < n; i++) {
      busy.goroutines.add(scheduler.go("busy", () -> busy.doFirst(n, first)));
    }
    Await.until(busy.ready::get, n);
    return busy;
  }

  /** Computes in the calling goroutine until {@link #stop}: it keeps its P. */
  void compute() {
    while (!over) {
      VirtualThreads.osYield();
    }
  }

  private void doFirst(int n, Task first) throws Exception {
    running.incrementAndGet();
    while (running.get() < n && !over) {
      VirtualThreads.osYield();
    }
    first.run();
    ready.incrementAndGet();
    compute();
  }

  List<Goroutine> goroutines() {
    return goroutines;
  }

  void stop() {
    over = true;
  }

  @Override
  public void close() {
    stop();
  }
}
