package io.heddle.cli.demo;

import io.heddle.Scheduler;
import io.heddle.cli.screen.Screen;
import java.util.concurrent.CountDownLatch;

/** Measures how much heap a parked goroutine takes. */
final class ParkedSection implements Section {
  private final Screen screen;
  private final DemoSize size;

  ParkedSection(Screen screen, DemoSize size) {
    this.screen = screen;
    this.size = size;
  }

  @Override
  public boolean play() throws Exception {
    screen.heading("4. Park %,d goroutines".formatted(size.parked()));
    weigh(size.parked()); // warm up: interpreted code leaves larger stacks
    Weight weight = weigh(size.parked());
    screen.line(
        "Each takes %,d bytes of heap and no thread; %d OS %s carried all of them."
            .formatted(
                weight.bytesEach(),
                weight.threads(),
                weight.threads() == 1 ? "thread" : "threads"));
    return true;
  }

  private record Weight(long bytesEach, int threads) {}

  private Weight weigh(int count) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().name("parked").procs(size.procs()).build()) {
      CountDownLatch gate = new CountDownLatch(1);
      long before = usedHeap();
      park(count, scheduler, gate);
      long bytes = usedHeap() - before;
      gate.countDown();
      return new Weight(bytes / Math.max(1, count), scheduler.stats().threads());
    }
  }

  private static void park(int count, Scheduler scheduler, CountDownLatch gate) throws Exception {
    CountDownLatch there = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      scheduler.go(
          () -> {
            there.countDown();
            gate.await();
          });
    }
    there.await();
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
