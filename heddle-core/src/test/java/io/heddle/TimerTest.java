package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@HangGuard
class TimerTest {
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Duration NEVER = Duration.ofDays(1);

  @Test
  void timerSendsTheTimeOnce() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Instant before = Instant.now();
            Timer timer = new Timer(SHORT);
            assertThat(timer.fired().receive()).isAfterOrEqualTo(before.plus(SHORT));
            assertThat(timer.fired().tryReceive()).isNull();
            assertThat(timer.stop()).isFalse();
          });
    }
  }

  @Test
  void timerWorksOnPlatformThread() throws Exception {
    assertThat(Timer.after(SHORT).receive()).isNotNull();
    assertThat(Timer.after(Duration.ofSeconds(-1)).receive()).isNotNull();
    assertThat(new Timer(Duration.ofSeconds(Long.MAX_VALUE)).stop()).isTrue();
  }

  @Test
  void stopAndResetReportWhetherTheyWereInTime() throws Exception {
    Timer timer = new Timer(NEVER);
    assertThat(timer.stop()).isTrue();
    assertThat(timer.stop()).isFalse();
    assertThat(timer.reset(Duration.ZERO)).isFalse();
    assertThat(timer.fired().receive()).isNotNull();
    assertThat(timer.reset(NEVER)).isFalse();
    assertThat(timer.reset(NEVER)).isTrue();
    assertThat(timer.stop()).isTrue();
  }

  @Test
  void unreceivedValueIsDiscardedByStopOrReset() {
    Timer timer = new Timer(Duration.ZERO);
    Chan<Instant> fired = (Chan<Instant>) timer.fired();
    Await.until(() -> fired.length() == 1);
    assertThat(timer.stop()).isTrue();
    assertThat(timer.fired().tryReceive()).isNull();

    timer.reset(Duration.ZERO);
    Await.until(() -> fired.length() == 1);
    assertThat(timer.reset(NEVER)).isTrue();
    assertThat(timer.fired().tryReceive()).isNull();
    timer.stop();
  }

  @Test
  void taskRunsInTheSchedulerThatCreatedTheTimer() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      Chan<Scheduler> ran = Chan.make(1);
      s.run(
          () -> {
            Timer timer =
                Timer.schedule(
                    SHORT,
                    () -> ran.trySend(java.util.Objects.requireNonNull(Scheduler.current())));
            assertThat(ran.receive()).isSameAs(s);
            assertThat(timer.stop()).isFalse();
            assertThat(timer.fired().tryReceive()).isNull();
            assertThat(timer.reset(SHORT)).isFalse();
            assertThat(ran.receive()).isSameAs(s);
          });
    }
  }

  @Test
  void taskMayBlockAndThrow() throws Exception {
    Chan<String> thrown = Chan.make(1);
    try (Scheduler s =
        Scheduler.builder()
            .procs(1)
            .uncaught((_, e) -> thrown.trySend(String.valueOf(e.getMessage())))
            .build()) {
      s.run(
          () -> {
            Chan<String> rendezvous = Chan.make();
            Timer.schedule(
                SHORT,
                () -> {
                  throw new IllegalStateException(rendezvous.iterator().next());
                });
            rendezvous.send("oops");
            assertThat(thrown.receive()).isEqualTo("oops");
          });
    }
  }

  @Test
  void stoppedTaskDoesNotRun() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    Timer timer = Timer.schedule(Duration.ofMillis(20), runs::incrementAndGet);
    assertThat(timer.stop()).isTrue();
    assertThat(Timer.after(Duration.ofMillis(60)).receive()).isNotNull();
    assertThat(runs).hasValue(0);
  }

  @Test
  void nullsAreRejected() {
    assertThatThrownBy(() -> new Timer(nothing())).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Timer.schedule(SHORT, nothing()))
        .isInstanceOf(NullPointerException.class);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
