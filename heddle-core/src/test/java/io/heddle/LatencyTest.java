package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long runnable goroutines wait for a P, as the scheduler always measures it. */
@HangGuard
class LatencyTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private static final Latency FOUR =
      latency(
          new Latency.Bucket(Duration.ofMillis(1), 1),
          new Latency.Bucket(Duration.ofMillis(10), 2),
          new Latency.Bucket(FOREVER, 1));

  @Test
  void oneWaitIn64IsMeasured() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      int rounds = 64_000;
      scheduler.run(
          () -> {
            for (int i = 0; i < rounds; i++) {
              Go.gosched();
            }
          });
      Latency latency = scheduler.latency();
      assertThat(latency.samples()).isBetween(900L, 1_200L);
      assertThat(latency.total()).isPositive();
      assertThat(latency.buckets()).hasSize(23);
      assertThat(latency.buckets().stream().mapToLong(Latency.Bucket::samples).sum())
          .isEqualTo(latency.samples());
      assertThat(latency.percentile(50)).isBetween(Duration.ofNanos(1_000), latency.percentile(99));
    }
  }

  /** One goroutine computes on the only P, so all others wait for it. */
  @Test
  void goroutinesThatWaitForABusyPAreSeen() throws Exception {
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).timeSlice(Duration.ofHours(1)).build()) {
      scheduler.run(
          () -> {
            WaitGroup others = new WaitGroup();
            for (int i = 0; i < 10 * Latency.ONE_IN; i++) {
              others.go(() -> {});
            }
            long end = System.nanoTime() + 20_000_000;
            while (System.nanoTime() - end < 0) {
              Thread.onSpinWait();
            }
            others.await();
          });
      Latency latency = scheduler.latency();
      assertThat(latency.samplesOver(Duration.ofMillis(10))).isBetween(8L, 13L);
      assertThat(latency.percentile(99)).isGreaterThan(Duration.ofMillis(10));
    }
  }

  @Test
  void differenceHasOnlyTheLaterWaits() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(() -> yieldOften(6_400));
      Latency before = scheduler.latency();
      assertThat(before.since(before).samples()).isZero();
      assertThat(before.since(before).total()).isZero();
      scheduler.run(() -> yieldOften(12_800));
      assertThat(scheduler.latency().since(before).samples()).isBetween(170L, 240L);
    }
  }

  @Test
  void percentileIsTheEndOfItsBucket() {
    assertThat(FOUR.percentile(25)).isEqualTo(Duration.ofMillis(1));
    assertThat(FOUR.percentile(26)).isEqualTo(Duration.ofMillis(10));
    assertThat(FOUR.percentile(75)).isEqualTo(Duration.ofMillis(10));
    assertThat(FOUR.percentile(100)).isEqualTo(FOREVER);
    assertThat(FOUR.since(FOUR).percentile(99)).isZero();
    for (double wrong : new double[] {0, -1, 100.1, Double.NaN}) {
      assertThatThrownBy(() -> FOUR.percentile(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("percentile " + wrong + ": allowed is above 0, and at most 100");
    }
  }

  @Test
  void samplesOverALimitAreCounted() {
    assertThat(FOUR.samplesOver(Duration.ZERO)).isEqualTo(4);
    assertThat(FOUR.samplesOver(Duration.ofMillis(1))).isEqualTo(3);
    assertThat(FOUR.samplesOver(Duration.ofMillis(2))).as("inside a bucket").isEqualTo(1);
    assertThat(FOUR.samplesOver(Duration.ofMillis(10))).isEqualTo(1);
  }

  private static void yieldOften(int times) {
    for (int i = 0; i < times; i++) {
      Go.gosched();
    }
  }

  private static Latency latency(Latency.Bucket... buckets) {
    long samples = List.of(buckets).stream().mapToLong(Latency.Bucket::samples).sum();
    return new Latency(samples, Duration.ofMillis(20), List.of(buckets));
  }
}
