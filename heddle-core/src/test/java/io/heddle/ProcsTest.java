package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.inspect.Invariants;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of Ps changes while goroutines run: rule P1. */
@HangGuard
class ProcsTest {
  @Test
  void p1_procsReturnsTheOldNumber() {
    try (Scheduler scheduler = Busy.withLongSlice().procs(3).build()) {
      assertThat(scheduler.procs(5)).isEqualTo(3);
      assertThat(scheduler.procs(1)).isEqualTo(5);
      assertThat(scheduler.procs()).isEqualTo(1);
      assertThat(scheduler.stats().procs()).isEqualTo(1);
      assertThat(scheduler.procs(1)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void p1_zeroOrLessOnlyReads(int n) {
    try (Scheduler scheduler = Busy.withLongSlice().procs(3).build()) {
      assertThat(scheduler.procs(n)).isEqualTo(3);
      assertThat(scheduler.procs()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1025, Integer.MAX_VALUE})
  void p1_moreThan1024ThrowsAndStatesTheLimit(int n) {
    try (Scheduler scheduler = Busy.withLongSlice().procs(3).build()) {
      assertThatThrownBy(() -> scheduler.procs(n))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(n))
          .hasMessageContaining("1 to 1024");
      assertThat(scheduler.procs()).isEqualTo(3);
    }
  }

  @Test
  void p1_limitIs1024() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(1).build()) {
      scheduler.procs(1024);
      AtomicInteger runs = new AtomicInteger();
      for (int i = 0; i < 1_000; i++) {
        scheduler.go(runs::incrementAndGet);
      }
      Await.until(runs::get, 1_000);
      assertThat(scheduler.procs(1)).isEqualTo(1024);
    }
  }

  @Test
  void p1_builderChecksTheLimit() {
    assertThatThrownBy(() -> Busy.withLongSlice().procs(0))
        .hasMessage("procs is 0: allowed is 1 to 1024");
    assertThatThrownBy(() -> Busy.withLongSlice().procs(1025)).hasMessageContaining("1 to 1024");
  }

  @Test
  void p1_additionalPRunsAnotherGoroutine() {
    try (Scheduler scheduler = Busy.withLongSlice().procs(1).build();
        Busy _ = Busy.start(scheduler, 1)) {
      AtomicInteger second = new AtomicInteger();
      scheduler.go(second::incrementAndGet);
      assertThat(second).as("there is no P for it").hasValue(0);
      scheduler.procs(2);
      Await.until(second::get, 1);
    }
  }

  @Test
  void p1_goroutinesRunningOnRemovedPsContinue() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(4).build();
        Busy busy = Busy.start(scheduler, 4)) {
      scheduler.procs(1);
      assertThat(scheduler.procs()).isEqualTo(1);
      assertThat(busy.goroutines()).allMatch(g -> g.state() == Goroutine.State.RUNNING);
      busy.stop();
      for (Goroutine g : busy.goroutines()) {
        g.join();
      }
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void p1_goroutinesQueuedOnRemovedPsKeepTheirOrderBeforeTheGlobalQueue() {
    Queue<String> log = new ConcurrentLinkedQueue<>();
    AtomicInteger names = new AtomicInteger();
    Task startTen = () -> startLogging("p" + names.getAndIncrement(), log);
    link(startTen);
    names.set(0);
    log.clear();
    try (Scheduler scheduler = Busy.withLongSlice().procs(3).build();
        Busy _ = Busy.start(scheduler, 3, startTen)) {
      scheduler.go(() -> log.add("global"));
      assertThat(scheduler.stats().localQueues())
          .as("after %s", scheduler.handOffs())
          .containsExactly(10, 10, 10);
      scheduler.procs(1);
      assertThat(scheduler.stats().localQueues()).containsExactly(10);
      assertThat(scheduler.stats().globalQueue()).isEqualTo(21);
    }
    assertThat(log).hasSize(31).last().isEqualTo("global");
    for (String name : List.of("p0", "p1", "p2")) {
      assertThat(log.stream().filter(entry -> entry.startsWith(name)).map(entry -> entry.charAt(3)))
          .containsExactly('9', '0', '1', '2', '3', '4', '5', '6', '7', '8');
    }
  }

  @Test
  void p1_goroutinesSurviveTightLoopOfChangesByForeignThread() {
    try (Scheduler scheduler = Busy.withLongSlice().procs(4).build();
        Load load = Load.start(scheduler, 200)) {
      for (int i = 0; i < 2_000; i++) {
        scheduler.procs(1 + ThreadLocalRandom.current().nextInt(8));
      }
      load.awaitAnotherRoundOfEach();
      load.end();
      Await.until(scheduler::goroutines, 0);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @Test
  void p1_goroutinesSurviveTightLoopOfChangesByGoroutines() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(4).build();
        Load load = Load.start(scheduler, 200)) {
      AtomicInteger changers = new AtomicInteger();
      for (int changer = 0; changer < 3; changer++) {
        scheduler.go(
            () -> {
              for (int i = 0; i < 500; i++) {
                assertThat(Go.procs(1 + i % 5)).isBetween(1, 5);
                Go.gosched();
              }
              changers.incrementAndGet();
            });
      }
      Await.until(changers::get, 3);
      load.awaitAnotherRoundOfEach();
      load.end();
      Await.until(scheduler::goroutines, 0);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  /**
   * After the last change no thread looks again, so a goroutine that was overlooked would stay
   * queued.
   */
  @Test
  void p1_goroutineStartedDuringAChangeRuns() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler scheduler = Busy.withLongSlice().procs(2).build()) {
      for (int round = 1; round <= 5_000; round++) {
        scheduler.go(runs::incrementAndGet);
        scheduler.procs(1 + round % 3);
        Await.until(runs::get, round);
      }
    }
  }

  @Test
  void p1_concurrentChangesTakeTurns() throws Exception {
    try (Scheduler scheduler = Busy.withLongSlice().procs(1).build()) {
      Queue<Integer> seen = new ConcurrentLinkedQueue<>();
      Thread other = Thread.ofPlatform().start(() -> change(scheduler, 2, 3, seen));
      change(scheduler, 4, 5, seen);
      other.join();
      assertThat(seen).hasSize(4_000).allMatch(n -> n >= 1 && n <= 5);
    }
  }

  private static void change(Scheduler scheduler, int a, int b, Queue<Integer> seen) {
    for (int i = 0; i < 1_000; i++) {
      seen.add(scheduler.procs(a));
      seen.add(scheduler.procs(b));
    }
  }

  /**
   * Runs {@code task} once. The first link of code makes goroutines wait for each other's class
   * loading and lose their P.
   */
  private static void link(Task task) {
    try (Scheduler scheduler = Busy.withLongSlice().procs(1).build()) {
      scheduler.go(task);
    }
  }

  private static void startLogging(String name, Queue<String> log) {
    for (int i = 0; i < 10; i++) {
      String entry = name + "-" + i;
      Go.go(() -> log.add(entry));
    }
  }

  /** Goroutines that yield and start short goroutines until the load ends. */
  private static final class Load implements AutoCloseable {
    private final AtomicIntegerArray rounds;
    private volatile boolean over;

    private Load(int n) {
      rounds = new AtomicIntegerArray(n);
    }

    static Load start(Scheduler scheduler, int n) {
      Load load = new Load(n);
      for (int i = 0; i < n; i++) {
        int number = i;
        scheduler.go(() -> load.live(number));
      }
      return load;
    }

    /** Waits until each goroutine has made progress, which shows that none was lost. */
    void awaitAnotherRoundOfEach() {
      for (int i = 0; i < rounds.length(); i++) {
        int number = i;
        int before = rounds.get(number);
        Await.until(() -> rounds.get(number) != before);
      }
    }

    void end() {
      over = true;
    }

    @Override
    public void close() {
      end();
    }

    private void live(int number) throws InterruptedException {
      while (!over) {
        Goroutine child = Go.go(() -> rounds.incrementAndGet(number));
        Go.gosched();
        child.join();
      }
    }
  }
}
