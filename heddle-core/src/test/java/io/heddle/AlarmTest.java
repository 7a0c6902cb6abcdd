package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.note.RuntimeLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A firing that comes late, step by step. */
@HangGuard
class AlarmTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @Test
  void oneOfAnEarlierSettingSendsNothing() {
    ChanTimer alarm = new ChanTimer();
    alarm.set(NEVER);
    long before = alarm.generation();
    alarm.set(NEVER);
    alarm.fire(before);
    assertThat(alarm.chan().length()).isZero();
    alarm.fire(alarm.generation());
    assertThat(alarm.chan().length()).isEqualTo(1);
    assertThat(alarm.silence()).isTrue();
  }

  @Test
  void oneOfATickerThatWasResetSendsNothing() {
    ChanTimer alarm = new ChanTimer();
    alarm.setEvery(NEVER);
    long before = alarm.generation();
    alarm.fire(before);
    assertThat(alarm.chan().tryReceive()).isNotNull();
    alarm.setEvery(NEVER);
    alarm.fire(before);
    assertThat(alarm.chan().length()).isZero();
    alarm.silence();
  }

  @Test
  void oneAfterAStopDoesNothing() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(1).build()) {
      s.run(
          () -> {
            Task task = runs::incrementAndGet;
            ChanTimer alarm = new ChanTimer(task, task);
            alarm.set(NEVER);
            long first = alarm.generation();
            assertThat(alarm.silence()).isTrue();
            alarm.fire(first);
            alarm.fire(alarm.generation());
          });
    }
    assertThat(runs).hasValue(0);
  }

  /** Two Ms may be about to send two ticks: the one that comes later must not have an earlier time. */
  @Test
  void theTimeOfATickIsTheTimeItIsSent() throws Exception {
    ChanTimer alarm = new ChanTimer();
    alarm.setEvery(NEVER);
    Thread sender;
    Instant between;
    alarm.chan().lock();
    try {
      sender = Thread.ofPlatform().start(() -> alarm.fire(alarm.generation()));
      Await.until(() -> isAtTheLock(sender));
      between = Instant.now();
    } finally {
      alarm.chan().unlock();
    }
    sender.join();
    assertThat(alarm.chan().tryReceive()).isAfterOrEqualTo(between);
    alarm.silence();
  }

  private static boolean isAtTheLock(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(RuntimeLock.class.getName()));
  }
}
