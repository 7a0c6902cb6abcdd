package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.sched.HandOff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** The log reports each place at which sysmon took a P by force once, at level FINE. */
@HangGuard
class HandOffLogTest {
  private volatile boolean over;

  @Test
  void s3_handOffIsLoggedOncePerPlaceWithReasonAndStacks() throws Exception {
    try (LogCapture log = new LogCapture(Level.FINE);
        Scheduler scheduler = scheduler()) {
      while (computingRecords(log, "computeHere").isEmpty()) {
        hog(scheduler, this::computeHere);
      }
      hog(scheduler, this::computeHere);
      while (computingRecords(log, "computeThere").isEmpty()) {
        hog(scheduler, this::computeThere);
      }
      assertThat(computingRecords(log, "computeHere"))
          .singleElement()
          .asString()
          .contains("scheduler talker")
          .containsPattern("goroutine \\d+ lost its P: computing at ")
          .containsPattern("\ngoroutine:\n\tat .*computeHere")
          .containsPattern("\nheddle-talker-M\\d+:\n\tat ");
    }
  }

  /**
   * Selects hand-offs with reason computing. On a busy machine sysmon may classify a thread that is
   * off its core as native.
   */
  private static List<String> computingRecords(LogCapture log, String place) {
    return log.messages().stream()
        .filter(message -> message.contains("computing at io.heddle.HandOffLogTest." + place))
        .toList();
  }

  @Test
  void s3_handOffIsNotLoggedAtLevelInfo() throws Exception {
    try (LogCapture log = new LogCapture(Level.INFO)) {
      try (Scheduler scheduler = scheduler()) {
        hog(scheduler, this::computeHere);
      }
      assertThat(log.messages()).isEmpty();
    }
  }

  private static Scheduler scheduler() {
    return Scheduler.builder().name("talker").procs(1).timeSlice(Duration.ofMillis(10)).build();
  }

  /** Returns when a computing goroutine has lost the P to others, for any reason, and has ended. */
  private void hog(Scheduler scheduler, Runnable compute) throws InterruptedException {
    over = false;
    HandOff handOffs = scheduler.sched().handOffs();
    long before = handOffs.count();
    AtomicInteger ran = new AtomicInteger();
    Goroutine hog = scheduler.go(compute::run);
    Await.until(hog::state, Goroutine.State.RUNNING);
    for (int i = 1; handOffs.count() == before; i++) {
      scheduler.go(ran::incrementAndGet); // waits for the P, or has it when the hog has lost it
      Await.until(ran::get, i);
    }
    // Sysmon looks at the stack after that. Some more work usually makes the log record come first.
    int more = ran.get() + 100;
    for (int i = ran.get() + 1; i <= more; i++) {
      scheduler.go(ran::incrementAndGet);
      Await.until(ran::get, i);
    }
    over = true;
    hog.join();
  }

  /** One line, because one line is one place. */
  private void computeHere() {
    while (!over) Thread.onSpinWait();
  }

  private void computeThere() {
    while (!over) Thread.onSpinWait();
  }
}
