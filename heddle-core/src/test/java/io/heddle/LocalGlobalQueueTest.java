package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Transfers between a P's queue and the global queue: rules Q1, Q3 and Q6, as the statistics show
 * them.
 */
@HangGuard
class LocalGlobalQueueTest {
  private final Queue<Integer> log = new ConcurrentLinkedQueue<>();

  @Test
  void q1_pHoldsRingOf256AndRunNext() throws Exception {
    OneP.run(
        () -> {
          start(257);
          Stats full = Scheduler.current().stats();
          assertThat(full.localQueues()).containsExactly(257);
          assertThat(full.globalQueue()).isZero();
        });
    assertThat(log).hasSize(257);
  }

  @Test
  void q3_fullRingMovesHalfAndTheNewGoroutineToTheGlobalQueue() throws Exception {
    OneP.run(
        () -> {
          start(258);
          Stats moved = Scheduler.current().stats();
          assertThat(moved.globalQueue()).isEqualTo(129);
          assertThat(moved.localQueues()).containsExactly(129);
        });
  }

  @Test
  void q3_bothHalvesKeepTheirOrder() throws Exception {
    OneP.run(() -> start(258));
    List<Integer> moved =
        IntStream.concat(IntStream.range(0, 128), IntStream.of(256)).boxed().toList();
    List<Integer> stayed = IntStream.range(128, 256).boxed().toList();
    assertThat(log).hasSize(258).first().isEqualTo(257);
    assertThat(log).containsSubsequence(moved).containsSubsequence(stayed);
  }

  @Test
  void q6_pTakesAtMostHalfARingFromTheGlobalQueue() {
    Stats first = statsOfTheFirstOf(300, 1);
    assertThat(first.localQueues()).containsExactly(127);
    assertThat(first.globalQueue()).isEqualTo(300 - 128);
  }

  @Test
  void q6_pTakesItsShareOfTheGlobalQueue() {
    Stats first = statsOfTheFirstOf(100, 4);
    assertThat(first.localQueues())
        .contains(100 / 4); // the P's share is one more: the goroutine that reads the statistics
    assertThat(first.globalQueue()).isEqualTo(100 - 100 / 4 - 1);
  }

  /**
   * Keeps all Ps busy, queues {@code n} goroutines from a foreign thread, frees one P, and returns
   * the statistics that the first of the goroutines reads.
   */
  private static Stats statsOfTheFirstOf(int n, int procs) {
    AtomicReference<Stats> first = new AtomicReference<>();
    try (Scheduler scheduler = Busy.withLongSlice().procs(procs).build();
        Busy _ = Busy.start(scheduler, procs - 1);
        Busy one = Busy.start(scheduler, 1)) {
      for (int i = 0; i < n; i++) {
        scheduler.go(() -> first.compareAndSet(null, Scheduler.current().stats()));
      }
      one.stop();
      Await.until(() -> first.get() != null);
    }
    return first.get();
  }

  private void start(int n) {
    for (int i = 0; i < n; i++) {
      int number = i;
      Go.go(() -> log.add(number));
    }
  }
}
