package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The format of a dump. */
@HangGuard
@Tag("jdks")
class DumpTest {
  private final Scheduler scheduler = Busy.withLongSlice().name("dumped").procs(1).build();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  @HangGuard
  void close() {
    gate.countDown();
    scheduler.close();
  }

  @Test
  void dumpStartsWithTheScheduler() {
    assertThat(lines().getFirst())
        .startsWith("scheduler dumped: 0 goroutines, procs=1 ")
        .contains("idleprocs=", "threads=", "idlethreads=", "runqueue=");
  }

  @Test
  void goroutineHasHeaderStackAndCreator() throws Exception {
    AtomicReference<Goroutine> worker = new AtomicReference<>();
    AtomicReference<Goroutine> parent = new AtomicReference<>();
    parent.set(scheduler.go(() -> worker.set(Go.go("worker", this::awaitGate))));
    parent.get().join();
    Await.until(worker.get()::waitReason, "park (CountDownLatch)");

    List<String> lines = lines();
    int header =
        lines.indexOf("goroutine " + worker.get().id() + " \"worker\" [park (CountDownLatch)]:");
    assertThat(header).as(lines.toString()).isPositive();
    List<String> block = lines.subList(header + 1, lines.size());
    assertThat(block).anyMatch(line -> line.matches("\tat .*DumpTest.awaitGate.*"));
    assertThat(block.getLast())
        .matches(
            "created by io.heddle.DumpTest.*\\(DumpTest.java:\\d+\\) in goroutine "
                + parent.get().id());
  }

  @Test
  void goroutinesWithTheSameStackAreGrouped() {
    for (int i = 0; i < 20; i++) {
      scheduler.go(this::awaitGate);
    }
    Goroutine other = scheduler.go(() -> Chan.make().receive());
    Await.until(other::waitReason, "chan receive");
    Await.idle(scheduler);

    String grouped = scheduler.dumpGrouped();
    assertThat(grouped).startsWith("scheduler dumped: 21 goroutines, ");
    assertThat(grouped)
        .containsPattern("\n20 goroutines .park .CountDownLatch..:( [0-9]+){8} [.]{3}\n\tat ")
        .containsSubsequence(
            "20 goroutines", "1 goroutine [chan receive]: " + other.id() + "\n\tat ");
    assertThat(grouped).containsPattern("created by io.heddle.DumpTest.*\\)\n");
    other.interrupt();
  }

  @Test
  void goroutineStartedByForeignThreadHasNoCreatorGoroutine() {
    Goroutine g = scheduler.go(this::awaitGate);
    Await.until(g::waitReason, "park (CountDownLatch)");
    assertThat(lines()).contains("goroutine " + g.id() + " [park (CountDownLatch)]:");
    assertThat(lines().getLast()).startsWith("created by io.heddle.DumpTest").endsWith(")");
  }

  @Test
  void runningAndRunnableGoroutinesAreShown() {
    try (Busy _ = Busy.start(scheduler, 1)) {
      scheduler.go("second", () -> {});
      assertThat(lines()).anyMatch(line -> line.matches("goroutine \\d+ \"busy\" \\[running]:"));
      assertThat(lines()).anyMatch(line -> line.matches("goroutine \\d+ \"second\" \\[runnable]:"));
    }
  }

  @Test
  void goroutinesAreOrderedById() {
    for (int i = 0; i < 100; i++) {
      scheduler.go(this::awaitGate);
    }
    List<Long> ids =
        lines().stream()
            .filter(line -> line.startsWith("goroutine "))
            .map(line -> Long.valueOf(line.split(" ")[1]))
            .toList();
    assertThat(ids).hasSize(100).isSorted().doesNotHaveDuplicates();
    assertThat(lines().getFirst()).contains("100 goroutines");
  }

  @Test
  void deadGoroutineIsNotShown() throws Exception {
    scheduler.go("gone", () -> {}).join();
    Await.until(scheduler::goroutines, 0);
    assertThat(scheduler.dump()).doesNotContain("gone");
  }

  @Test
  void goroutineMayDump() throws Exception {
    AtomicReference<String> dump = new AtomicReference<>();
    scheduler.run(() -> dump.set(scheduler.dump()));
    assertThat(dump.get()).contains("\"main\" [running]:", "DumpTest.lambda$goroutineMayDump");
  }

  /**
   * The creation site is that of this main, not of the first main, although every main is wrapped
   * in the same way.
   */
  @Test
  void mainGoroutineIsCreatedByTheCallerOfRun() throws Exception {
    new SecondProgram().run(scheduler);
    AtomicReference<String> dump = new AtomicReference<>();
    scheduler.run(() -> dump.set(scheduler.dump()));
    assertThat(dump.get()).contains("created by io.heddle.DumpTest.mainGoroutineIsCreated");
  }

  @Test
  void executorTaskHasNoCreationSite() throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      new SecondProgram().submitTo(executor);
      assertThat(executor.submit(scheduler::dump).get()).doesNotContain("created by");
    }
  }

  private static final class SecondProgram {
    void run(Scheduler scheduler) throws Exception {
      scheduler.run(() -> {});
    }

    void submitTo(ExecutorService executor) throws Exception {
      executor.submit(() -> {}).get();
    }
  }

  private void awaitGate() throws InterruptedException {
    gate.await();
  }

  private List<String> lines() {
    return scheduler.dump().lines().toList();
  }
}
