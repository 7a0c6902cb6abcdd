package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Overload control of a scheduler. */
@HangGuard
class OverloadTest {
  private static final Duration TARGET = Duration.ofMillis(5);

  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void newWorkIsRefusedWhileGoroutinesWaitAndAdmittedAfterwards() throws Exception {
    try (Scheduler scheduler = guarded()) {
      assertThat(scheduler.tryAdmit()).isTrue();
      occupy(scheduler);
      Await.until(() -> !scheduler.tryAdmit());
      assertThat(scheduler.overload().isShedding()).isTrue();
      assertThat(scheduler.overload().shed()).isPositive();
      assertThatThrownBy(scheduler::admit)
          .isInstanceOf(OverloadException.class)
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageStartingWith("scheduler guarded is overloaded: goroutines wait ")
          .hasMessageEndingWith(" ms for a P, allowed are 5 ms");
      end.countDown();
      Await.until(scheduler::tryAdmit);
      assertThat(scheduler.overload().targetNanos()).isEqualTo(TARGET.toNanos());
      assertThat(new SchedulerBean(scheduler).getOverload().admitted()).isGreaterThan(1);
    }
  }

  @Test
  void goroutinesOfTheSchedulerAskToo() throws Exception {
    Duration longest = Duration.ofMinutes(1); // because a busy machine makes the probes wait, too
    try (Scheduler scheduler = Scheduler.builder().procs(1).overload(longest).build()) {
      scheduler.run(
          () -> {
            assertThat(scheduler.tryAdmit()).isTrue();
            Await.until(() -> noProbeWaits(scheduler));
            scheduler.admit();
          });
      assertThat(scheduler.overload().admitted()).isEqualTo(2);
      assertThat(scheduler.overload().shed()).isZero();
    }
  }

  @Test
  void nothingIsRefusedByDefault() {
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).timeSlice(Duration.ofHours(1)).build()) {
      occupy(scheduler);
      for (int i = 0; i < 10_000; i++) {
        scheduler.admit();
      }
      end.countDown();
      assertThat(scheduler.overload()).isEqualTo(new OverloadStats(0, 0, 0, 0));
      assertThat(scheduler.overload().isShedding()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT0.0009S", "PT61S", "PT-1S"})
  void targetOutOfRangeIsRefused(Duration target) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scheduler.builder().overload(target))
        .withMessage("overload is " + target + ": allowed is 1 ms to 60 s");
  }

  private Scheduler guarded() {
    return Scheduler.builder()
        .name("guarded")
        .procs(1)
        .timeSlice(Duration.ofHours(1)) // so that the P is not retaken
        .overload(TARGET)
        .build();
  }

  /** Starts a goroutine that keeps the only P. */
  private void occupy(Scheduler scheduler) {
    CountDownLatch started = new CountDownLatch(1);
    scheduler.go(
        () -> {
          started.countDown();
          while (end.getCount() > 0) {
            Thread.onSpinWait();
          }
        });
    Await.until(() -> started.getCount() == 0);
  }

  /** Yields, so that a probe of the scheduler can run. */
  private static boolean noProbeWaits(Scheduler scheduler) {
    Go.gosched();
    return scheduler.goroutines() == 1;
  }
}
