package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.note.Note;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A goroutine that sleeps on a note gives its P up first: rule N3. */
@HangGuard
class SyscallsTest {
  private static final long LONG = Duration.ofHours(1).toNanos();

  private final Note note = new Note();
  private final AtomicInteger woken = new AtomicInteger();
  private final AtomicInteger timedOut = new AtomicInteger();

  @Test
  void n3_anotherGoroutineWakesOneThatSleepsOnANote() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      BareSched.BareG sleeper = bare.go(() -> sleep(LONG));
      Await.until(note::hasSleeper);
      bare.go(note::wakeup).join();
      sleeper.join();
      assertThat(woken).hasValue(1);
      bare.awaitIdle();
      bare.sched().checkInvariants();
    }
  }

  @Test
  void n3_itsTimeMayRunOut() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      bare.go(() -> sleep(1_000)).join();
      assertThat(timedOut).hasValue(1);
    }
  }

  @Test
  void n3_aPlatformThreadMaySleepTheSameWay() throws Exception {
    Thread sleeper = Thread.ofPlatform().start(() -> sleep(LONG));
    Await.until(note::hasSleeper);
    note.wakeup();
    sleeper.join();
    assertThat(woken).hasValue(1);
  }

  private void sleep(long nanos) {
    (Syscalls.sleep(note, nanos) ? woken : timedOut).incrementAndGet();
  }
}
