package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Timers that are stopped and reset at the moment they fire: a receiver never sees an older
 * setting's value, and no value twice.
 */
@HangGuard
class ChanTimerStressTest {
  private static final int ROUNDS = 5_000;
  private static final Duration NEVER = Duration.ofDays(1);

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void valueOfAnEarlierSettingIsNeverReceived(int procs) throws Exception {
    AtomicInteger seen = new AtomicInteger();
    AtomicInteger stopped = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < procs; i++) {
        s.go(() -> stopAndReset(seen, stopped));
      }
    }
    assertThat(seen.get() + stopped.get()).isEqualTo(procs * ROUNDS);
    assertThat(stopped).hasPositiveValue();
  }

  /** Each setting ends in one of two ways: its value is received, or the timer is stopped. */
  private static void stopAndReset(AtomicInteger seen, AtomicInteger stopped) throws Exception {
    Timer timer = new Timer(NEVER);
    for (int i = 0; i < ROUNDS; i++) {
      timer.reset(soon());
      spinBriefly();
      Instant early = timer.fired().tryReceive();
      boolean inTime = i % 2 == 0 ? timer.stop() : timer.reset(NEVER);
      assertThat(timer.fired().tryReceive()).as("value of an earlier setting").isNull();
      assertThat(inTime).as("stopped").isEqualTo(early == null);
      (inTime ? stopped : seen).incrementAndGet();
    }
    timer.stop();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void taskRunsOnceUnlessStopped(int procs) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger expected = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < procs; i++) {
        s.go(
            () -> {
              Timer timer = Timer.schedule(NEVER, runs::incrementAndGet);
              for (int j = 0; j < ROUNDS; j++) {
                timer.reset(soon());
                spinBriefly();
                if (!timer.stop()) {
                  expected.incrementAndGet();
                }
              }
            });
      }
    }
    assertThat(runs).hasValue(expected.get());
    assertThat(expected.get()).isLessThanOrEqualTo(procs * ROUNDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void concurrentSettingsAreEachReceivedOrStoppedOnce(int procs) throws Exception {
    AtomicInteger received = new AtomicInteger();
    AtomicInteger balance = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(procs).build()) {
      s.run(
          () -> {
            Timer timer = new Timer(NEVER);
            balance.incrementAndGet();
            setAndStop(timer, balance, received);
          });
    }
    assertThat(balance).as("set, but not stopped").hasValue(received.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void concurrentSettingsEachRunOrAreStoppedOnce(int procs) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger balance = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(procs).build()) {
      s.run(
          () -> {
            Timer timer = Timer.schedule(NEVER, runs::incrementAndGet);
            balance.incrementAndGet();
            setAndStop(timer, balance, runs);
          });
    }
    assertThat(balance).as("set, but not stopped").hasValue(runs.get());
  }

  /**
   * Three goroutines set and stop the timer. Each setting adds one to the balance, and each call
   * that reports that it prevented a firing subtracts one.
   */
  private static void setAndStop(Timer timer, AtomicInteger balance, AtomicInteger received)
      throws Exception {
    try (Group group = new Group()) {
      for (int i = 0; i < 3; i++) {
        group.go(
            () -> {
              for (int j = 0; j < ROUNDS; j++) {
                boolean set = ThreadLocalRandom.current().nextBoolean();
                boolean prevented = set ? timer.reset(soon()) : timer.stop();
                balance.addAndGet((set ? 1 : 0) - (prevented ? 1 : 0));
                spinBriefly();
                if (timer.fired().tryReceive() != null) {
                  received.incrementAndGet();
                }
              }
            });
      }
      group.await();
    }
    balance.addAndGet(timer.stop() ? -1 : 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void closedTickerSendsNoTick(int procs) throws Exception {
    AtomicInteger stale = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < procs; i++) {
        s.go(
            () -> {
              Ticker ticker = new Ticker(NEVER);
              for (int j = 0; j < ROUNDS; j++) {
                ticker.reset(Duration.ofNanos(1_000));
                spinBriefly();
                ticker.close();
                Thread.yield();
                if (ticker.ticks().tryReceive() != null) {
                  stale.incrementAndGet();
                }
              }
            });
      }
    }
    assertThat(stale).hasValue(0);
  }

  private static Duration soon() {
    return Duration.ofNanos(ThreadLocalRandom.current().nextInt(20_000));
  }

  /**
   * Spins about as long as the timer takes. Meanwhile another M, or this one after its yield, fires
   * the timer.
   */
  private static void spinBriefly() {
    if (ThreadLocalRandom.current().nextBoolean()) {
      Thread.yield();
    }
    for (int i = ThreadLocalRandom.current().nextInt(500); i > 0; i--) {
      Thread.onSpinWait();
    }
  }
}
