package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.sched.HandOff;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Where in the program a P was taken by force is said once, to who wants to know it all. */
@HangGuard
class HandOffLogTest {
  private volatile boolean over;

  @Test
  void s3_oncePerPlaceWithTheReasonAndBothStacks() throws Exception {
    try (LogCapture log = new LogCapture(Level.FINE);
        Scheduler scheduler = scheduler()) {
      hog(scheduler, this::computeHere);
      Await.until(() -> log.messages().size(), 1);
      hog(scheduler, this::computeHere);
      hog(scheduler, this::computeThere);
      Await.until(() -> log.messages().size(), 2);
      assertThat(log.messages().getFirst())
          .contains("scheduler talker")
          .containsPattern("goroutine \\d+ lost its P: computing at ")
          .contains("HandOffLogTest.computeHere")
          .containsPattern("\ngoroutine:\n\tat .*computeHere")
          .containsPattern("\nheddle-talker-M\\d+:\n\tat ");
      assertThat(log.messages().getLast()).contains("HandOffLogTest.computeThere");
    }
  }

  @Test
  void s3_notAtALevelThatIsUsual() throws Exception {
    try (LogCapture log = new LogCapture(Level.INFO)) {
      try (Scheduler scheduler = scheduler()) {
        hog(scheduler, this::computeHere);
      }
      assertThat(log.messages()).isEmpty();
    }
  }

  private static Scheduler scheduler() {
    return Scheduler.builder().name("talker").procs(1).timeSlice(Duration.ofMillis(1)).build();
  }

  /** Returns when a goroutine that computes has lost the P to others, and has ended. */
  private void hog(Scheduler scheduler, Runnable compute) throws InterruptedException {
    over = false;
    HandOff handOffs = scheduler.sched().handOffs();
    long before = handOffs.count(HandOff.Reason.COMPUTING);
    AtomicInteger ran = new AtomicInteger();
    Goroutine hog = scheduler.go(compute::run);
    Await.until(hog::state, Goroutine.State.RUNNING);
    for (int i = 1; handOffs.count(HandOff.Reason.COMPUTING) == before; i++) {
      scheduler.go(ran::incrementAndGet); // waits for the P, or has it when the hog has lost it
      Await.until(ran::get, i);
    }
    over = true;
    hog.join();
  }

  /** In one line, which is one place. */
  private void computeHere() {
    while (!over) Thread.onSpinWait();
  }

  private void computeThere() {
    while (!over) Thread.onSpinWait();
  }
}
