package io.heddle.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.sched.BareSched;
import io.heddle.internal.sched.G;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measured time that goroutines wait for a P. */
@HangGuard
class SchedLatencyTest {
  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 2, 3, 4, 5, 7, 8, 99, 1_000, 65_535, 65_536, 1_000_000_007, Long.MAX_VALUE})
  void bucketContainsItsValue(long nanos) {
    int bucket = SchedLatency.bucketOf(nanos);
    if (nanos < Long.MAX_VALUE) {
      assertThat(SchedLatency.upTo(bucket)).isGreaterThan(nanos);
      assertThat(SchedLatency.upTo(bucket))
          .as("to a quarter")
          .isLessThanOrEqualTo(nanos + nanos / 4 + 2);
    }
    assertThat(bucket).isBetween(0, new SchedLatency().take().length - 1);
  }

  @Test
  void bucketsGrow() {
    int last = -1;
    for (long nanos = 1; nanos < 1L << 40; nanos += 1 + nanos / 16) {
      int bucket = SchedLatency.bucketOf(nanos);
      assertThat(bucket).isGreaterThanOrEqualTo(last);
      last = bucket;
    }
  }

  @Test
  void trackedGoroutineIsMeasuredOnce() {
    try (BareSched bare = new BareSched().open()) {
      SchedLatency latency = new SchedLatency();
      G g = new BareSched.BareG(bare.sched(), () -> {});
      latency.runs(g, g.id()); // not followed
      assertThat(sum(latency)).isZero();
      latency.follow(g, g.id());
      latency.runs(g, g.id());
      latency.runs(g, g.id());
      assertThat(sum(latency)).isEqualTo(1);
      assertThat(sum(latency)).as("taken").isZero();
    }
  }

  @Test
  void takenSlotTracksNoOtherGoroutine() {
    try (BareSched bare = new BareSched().open()) {
      SchedLatency latency = new SchedLatency();
      G first = new BareSched.BareG(bare.sched(), () -> {});
      G second = new BareSched.BareG(bare.sched(), () -> {});
      latency.follow(first, first.id()); // both have no id yet, and so the same place
      latency.follow(second, second.id());
      latency.runs(second, second.id());
      assertThat(sum(latency)).isZero();
      latency.runs(first, first.id());
      assertThat(sum(latency)).isEqualTo(1);
    }
  }

  private static int sum(SchedLatency latency) {
    return Arrays.stream(latency.take()).sum();
  }
}
