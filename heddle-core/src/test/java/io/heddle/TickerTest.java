package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@HangGuard
class TickerTest {
  private static final Duration OFTEN = Duration.ofMillis(2);

  @Test
  void tickerTicksRepeatedly() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Instant before = Instant.now();
            try (Ticker ticker = new Ticker(OFTEN)) {
              Instant last = before;
              for (int i = 0; i < 10; i++) {
                Instant tick = Objects.requireNonNull(ticker.ticks().receive());
                assertThat(tick).isAfterOrEqualTo(last);
                last = tick;
              }
              assertThat(last).isAfterOrEqualTo(before.plus(OFTEN.multipliedBy(10)));
            }
          });
    }
  }

  @Test
  void slowReceiverMissesTicks() throws Exception {
    try (Ticker ticker = new Ticker(OFTEN)) {
      Chan<Instant> ticks = (Chan<Instant>) ticker.ticks();
      Await.until(() -> ticks.length() == 1);
      assertThat(Timer.after(OFTEN.multipliedBy(10)).receive()).isNotNull();
      assertThat(ticks.length()).isEqualTo(1);
      assertThat(ticks.capacity()).isEqualTo(1);
    }
  }

  @Test
  void noTickIsLeftAfterCloseOrReset() throws Exception {
    for (int i = 0; i < 200; i++) {
      Ticker ticker = new Ticker(Duration.ofNanos(1_000));
      assertThat(ticker.ticks().receive()).isNotNull();
      ticker.close();
      assertThat(ticker.ticks().tryReceive()).isNull();
      ticker.reset(Duration.ofNanos(1_000));
      assertThat(ticker.ticks().receive()).isNotNull();
      ticker.reset(Duration.ofDays(1));
      assertThat(ticker.ticks().tryReceive()).isNull();
      ticker.close();
    }
  }

  @Test
  void zeroOrLessIsRejected() {
    assertThatThrownBy(() -> new Ticker(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
    try (Ticker ticker = new Ticker(OFTEN)) {
      assertThatThrownBy(() -> ticker.reset(Duration.ofNanos(-1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
