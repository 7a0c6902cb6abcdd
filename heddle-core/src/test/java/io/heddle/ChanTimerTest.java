package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.note.RuntimeLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Timer firings that come late, step by step. */
@HangGuard
class ChanTimerTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @Test
  void firingOfAnEarlierSettingSendsNothing() {
    ChanTimer timer = new ChanTimer();
    timer.set(NEVER);
    long before = timer.generation();
    timer.set(NEVER);
    timer.fire(before);
    assertThat(timer.chan().length()).isZero();
    timer.fire(timer.generation());
    assertThat(timer.chan().length()).isEqualTo(1);
    assertThat(timer.silence()).isTrue();
  }

  @Test
  void firingBeforeTickerResetSendsNothing() {
    ChanTimer timer = new ChanTimer();
    timer.setEvery(NEVER);
    long before = timer.generation();
    timer.fire(before);
    assertThat(timer.chan().tryReceive()).isNotNull();
    timer.setEvery(NEVER);
    timer.fire(before);
    assertThat(timer.chan().length()).isZero();
    timer.silence();
  }

  @Test
  void firingAfterStopDoesNothing() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(1).build()) {
      s.run(
          () -> {
            Task task = runs::incrementAndGet;
            ChanTimer timer = new ChanTimer(task, task);
            timer.set(NEVER);
            long first = timer.generation();
            assertThat(timer.silence()).isTrue();
            timer.fire(first);
            timer.fire(timer.generation());
          });
    }
    assertThat(runs).hasValue(0);
  }

  /**
   * Two Ms may be about to send two ticks. The tick that is sent later must not carry an earlier
   * time.
   */
  @Test
  void tickCarriesTheTimeItIsSent() throws Exception {
    ChanTimer timer = new ChanTimer();
    timer.setEvery(NEVER);
    Thread sender;
    Instant between;
    timer.chan().lock();
    try {
      sender = Thread.ofPlatform().start(() -> timer.fire(timer.generation()));
      Await.until(() -> isAtRuntimeLock(sender));
      between = Instant.now();
    } finally {
      timer.chan().unlock();
    }
    sender.join();
    assertThat(timer.chan().tryReceive()).isAfterOrEqualTo(between);
    timer.silence();
  }

  private static boolean isAtRuntimeLock(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(RuntimeLock.class.getName()));
  }
}
