package openjdk.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import openjdk.Pinned;
import openjdk.VirtualTest;
import org.junit.jupiter.api.Test;

/** Thread.sleep: ThreadAPI.java. */
class SleepTest extends VirtualTest {
  private static final long MILLIS = 30;
  private static final Duration LONG = Duration.ofHours(1);

  private static final List<Task> SLEEPS =
      List.of(
          () -> Thread.sleep(MILLIS),
          () -> Thread.sleep(MILLIS, 1),
          () -> Thread.sleep(Duration.ofMillis(MILLIS)));
  private static final List<Task> LONG_SLEEPS =
      List.of(
          () -> Thread.sleep(LONG.toMillis()),
          () -> Thread.sleep(LONG.toMillis(), 1),
          () -> Thread.sleep(LONG),
          () -> Thread.sleep(Duration.ofSeconds(Long.MAX_VALUE)));

  @Test
  void invalidTimes() throws Exception {
    virtually(
        () -> {
          assertThatIllegalArgumentException().isThrownBy(() -> Thread.sleep(-1));
          assertThatIllegalArgumentException().isThrownBy(() -> Thread.sleep(-1, 0));
          assertThatIllegalArgumentException().isThrownBy(() -> Thread.sleep(0, -1));
          assertThatIllegalArgumentException().isThrownBy(() -> Thread.sleep(0, 1_000_000));
          assertThatNullPointerException().isThrownBy(() -> Thread.sleep(null));
          Thread.sleep(Duration.ofMillis(-1));
        });
  }

  @Test
  void forNoTime() throws Exception {
    virtually(
        () -> {
          Thread.sleep(0);
          Thread.sleep(0, 0);
          Thread.sleep(Duration.ZERO);
        });
  }

  @Test
  void sleepsAtLeastTheGivenTime() throws Exception {
    for (Task sleep : SLEEPS) {
      virtually(() -> assertTakesItsTime(sleep));
    }
  }

  @Test
  void interruptedThreadDoesNotSleep() throws Exception {
    virtually(
        () -> {
          for (Task sleep : LONG_SLEEPS) {
            assertIsInterrupted(sleep);
          }
          assertIsInterrupted(() -> Thread.sleep(0));
          assertIsInterrupted(() -> Thread.sleep(Duration.ZERO));
        });
  }

  @Test
  void negativeTimeIgnoresInterrupts() throws Exception {
    virtually(
        () -> {
          Thread.currentThread().interrupt();
          Thread.sleep(Duration.ofMillis(-1));
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    for (Task sleep : LONG_SLEEPS) {
      virtually(
          () -> {
            interruptWhen(Thread.currentThread(), Thread.State.TIMED_WAITING);
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(sleep::run);
            assertThat(Thread.interrupted()).isFalse();
          });
    }
  }

  @Test
  void leavesThePermit() throws Exception {
    virtually(
        () -> {
          LockSupport.unpark(Thread.currentThread());
          assertTakesItsTime(() -> Thread.sleep(MILLIS));
          LockSupport.park();
        });
  }

  @Test
  void unparkDoesNotEndIt() throws Exception {
    Started<Void> started = start(() -> assertTakesItsTime(() -> Thread.sleep(MILLIS)));
    while (started.thread().isAlive()) {
      LockSupport.unpark(started.thread());
      Thread.yield();
    }
    started.result();
  }

  @Test
  void whilePinned() throws Exception {
    virtually(() -> Pinned.run(() -> assertTakesItsTime(() -> Thread.sleep(MILLIS))));
  }

  @Test
  void interruptedWhilePinned() throws Exception {
    virtually(() -> Pinned.run(() -> assertIsInterrupted(() -> Thread.sleep(LONG))));
    virtually(
        () -> {
          interruptWhen(Thread.currentThread(), Thread.State.TIMED_WAITING);
          assertThatExceptionOfType(InterruptedException.class)
              .isThrownBy(() -> Pinned.run(() -> Thread.sleep(LONG)));
          assertThat(Thread.interrupted()).isFalse();
        });
  }

  private static void assertIsInterrupted(Task sleep) {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(sleep::run);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private static void assertTakesItsTime(Task sleep) throws Exception {
    long start = System.nanoTime();
    sleep.run();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORTEST);
  }

  /** A clock read before and after may tick in between, hence a tolerance of one millisecond. */
  private static final Duration SHORTEST = Duration.ofMillis(MILLIS - 1);
}
