package io.heddle.cli.demo;

import io.heddle.Scheduler;
import io.heddle.cli.screen.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs two endless loops per P beside a task that wants to run every millisecond, and counts how
 * often it runs.
 */
final class HogsSection implements Section {
  private static final int BAR = 24;

  private final Screen screen;
  private final DemoSize size;

  HogsSection(Screen screen, DemoSize size) {
    this.screen = screen;
    this.size = size;
  }

  @Override
  public boolean play() throws Exception {
    int hogs = 2 * size.procs();
    screen.heading("5. Let %d endless loops compute".formatted(hogs));
    screen.line(
        "One more task wants to tick once per millisecond. Ticks in %.1f s:"
            .formatted(size.hogMillis() / 1e3));
    int ours;
    try (Scheduler scheduler = Scheduler.builder().name("hogs").procs(size.procs()).build()) {
      ours = ticks(new Runner.HeddleRunner(scheduler), hogs);
    }
    int jdks = ticks(new Runner.JdkRunner(), hogs);
    show("Heddle", ours);
    show("JDK", jdks);
    screen.line("  " + verdict(ours, jdks));
    return ours > 0;
  }

  private int ticks(Runner runner, int hogs) throws InterruptedException {
    Contest contest = new Contest();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < hogs; i++) {
      threads.add(runner.startFirst(contest::hog));
    }
    threads.add(runner.startFirst(contest::tick));
    int ticks =
        contest.watch(
            size.hogMillis(),
            n -> screen.moving("  %-6s  %s %,6d".formatted(runner.name(), bar(n), n)));
    screen.eraseMoving();
    for (Thread thread : threads) {
      thread.join();
    }
    return ticks;
  }

  private void show(String name, int ticks) {
    screen.line("  %-6s  %s %,6d".formatted(name, bar(ticks), ticks));
  }

  private String bar(int ticks) {
    return screen.bar(ticks, size.hogMillis(), BAR);
  }

  private static String verdict(int ours, int jdks) {
    if (ours == 0) {
      return "No tick at all: this is a bug in Heddle. Please report it.";
    }
    return jdks == 0
        ? "Heddle takes the P from a loop after its time slice; the JDK lets it finish."
        : "The JDK ticked, too, because it has more threads than there are loops.";
  }

  /** The endless loops, the ticker, and the flag that ends them. */
  private static final class Contest {
    private final AtomicInteger ticks = new AtomicInteger();
    private volatile boolean over;

    void hog() {
      while (!over) {
        Thread.onSpinWait();
      }
    }

    void tick() {
      while (!over) {
        try {
          Thread.sleep(1);
        } catch (InterruptedException e) {
          return;
        }
        ticks.incrementAndGet();
      }
    }

    /** Lets the tasks run for {@code millis} milliseconds; returns the number of ticks. */
    int watch(int millis, IntConsumer progress) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (System.nanoTime() - end < 0) {
        Thread.sleep(50);
        progress.accept(ticks.get());
      }
      int n = ticks.get();
      over = true;
      return n;
    }
  }
}
