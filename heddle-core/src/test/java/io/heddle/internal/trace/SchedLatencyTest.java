package io.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.sched.BareSched;
import io.heddle.internal.sched.G;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measured time that goroutines wait for a P. */
@HangGuard
class SchedLatencyTest {
  /** A turn of a goroutine without an id whose wait is in the sample. */
  private static final int SAMPLED =
      IntStream.range(1, 1_000)
          .filter(turn -> SchedLatency.isSampled(0, turn))
          .findFirst()
          .getAsInt();

  @ParameterizedTest
  @ValueSource(
      longs = {-5, 0, 1, 99, 100, 101, 1_000, 1_001, 65_536, 1_000_000_007, Long.MAX_VALUE})
  void bucketContainsItsValue(long nanos) {
    int bucket = SchedLatency.bucketOf(nanos);
    assertThat(SchedLatency.upTo(bucket)).isGreaterThanOrEqualTo(nanos);
    if (bucket > 0) {
      assertThat(SchedLatency.upTo(bucket - 1)).isLessThan(nanos);
    }
    if (nanos >= 100 && nanos < 80_000_000_000L) {
      assertThat(SchedLatency.upTo(bucket)).as("to a third").isLessThan(nanos + nanos / 3 + 2);
    }
    assertThat(bucket).isBetween(0, new SchedLatency().counts().length - 1);
  }

  @Test
  void usersSeeBoundsOfOneTwoAndFive() {
    assertThat(SchedLatency.coarseBounds())
        .hasSize(22)
        .startsWith(1_000, 2_000, 5_000, 10_000)
        .contains(100_000_000)
        .endsWith(2_000_000_000L, 5_000_000_000L, 10_000_000_000L);
  }

  @Test
  void readingAddsUpTheBucketsBelowEachBound() {
    SchedLatency latency = new SchedLatency();
    LongStream.of(1, 1_000, 1_001, 2_000, 100_000_000, 100_000_001, 10_000_000_001L, 1L << 62)
        .forEach(latency::record);
    SchedLatency.Reading read = latency.read();
    long[] bounds = SchedLatency.coarseBounds();
    assertThat(read.counts()).hasSize(bounds.length + 1);
    assertThat(read.counts()[0]).as("to 1 µs").isEqualTo(2);
    assertThat(read.counts()[1]).as("to 2 µs").isEqualTo(2);
    int tenth = Arrays.binarySearch(bounds, 100_000_000);
    assertThat(read.counts()[tenth]).as("to 100 ms").isEqualTo(1);
    assertThat(read.counts()[tenth + 1]).as("above it").isEqualTo(1);
    assertThat(read.counts()[bounds.length]).as("above all").isEqualTo(2);
    assertThat(Arrays.stream(read.counts()).sum()).isEqualTo(8);
    assertThat(read.totalNanos()).isGreaterThan(1L << 62);
  }

  /** A goroutine that waits for many things in turn must not be measured for one of them alone. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 10, 16, 60, 64, 100, 128})
  void programOfAnyPeriodIsSampledFairly(int period) {
    int rounds = 64 * 1_000;
    for (int phase = 0; phase < Math.min(period, 4); phase++) {
      int sampled = 0;
      for (int i = 0; i < rounds; i++) {
        sampled += SchedLatency.isSampled(17, phase + i * period) ? 1 : 0;
      }
      assertThat(sampled).as("phase %d", phase).isBetween(900, 1_100);
    }
  }

  @Test
  void shortGoroutinesAreSampledByTheirIds() {
    long sampled = LongStream.range(1, 64_001).filter(id -> SchedLatency.isSampled(id, 0)).count();
    assertThat(sampled).isBetween(900L, 1_100L);
  }

  @Test
  void trackedGoroutineIsMeasuredOnce() {
    try (BareSched bare = new BareSched().open()) {
      SchedLatency latency = new SchedLatency();
      G g = new BareSched.BareG(bare.sched(), () -> {});
      latency.runs(g, g.id(), SAMPLED); // not followed
      assertThat(sum(latency)).isZero();
      latency.waits(g, g.id(), SAMPLED);
      latency.runs(g, g.id(), SAMPLED);
      latency.runs(g, g.id(), SAMPLED);
      assertThat(sum(latency)).isEqualTo(1);
    }
  }

  @Test
  void takenSlotTracksNoOtherGoroutine() {
    try (BareSched bare = new BareSched().open()) {
      SchedLatency latency = new SchedLatency();
      G first = new BareSched.BareG(bare.sched(), () -> {});
      G second = new BareSched.BareG(bare.sched(), () -> {});
      latency.waits(first, first.id(), SAMPLED); // both have no id yet, and so the same place
      latency.waits(second, second.id(), SAMPLED);
      latency.runs(second, second.id(), SAMPLED);
      assertThat(sum(latency)).isZero();
      latency.runs(first, first.id(), SAMPLED);
      assertThat(sum(latency)).isEqualTo(1);
    }
  }

  private static long sum(SchedLatency latency) {
    return Arrays.stream(latency.counts()).sum();
  }
}
