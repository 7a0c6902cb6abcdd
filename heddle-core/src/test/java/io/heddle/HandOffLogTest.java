package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.sched.HandOff;
import java.time.Duration;
import java.util.List;
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
      while (told(log, "computeHere").isEmpty()) {
        hog(scheduler, this::computeHere);
      }
      hog(scheduler, this::computeHere);
      while (told(log, "computeThere").isEmpty()) {
        hog(scheduler, this::computeThere);
      }
      assertThat(told(log, "computeHere"))
          .singleElement()
          .asString()
          .contains("scheduler talker")
          .containsPattern("goroutine \\d+ lost its P: computing at ")
          .containsPattern("\ngoroutine:\n\tat .*computeHere")
          .containsPattern("\nheddle-talker-M\\d+:\n\tat ");
    }
  }

  /** On a busy machine a thread that is off its core may be taken for one in native code: those are not meant. */
  private static List<String> told(LogCapture log, String place) {
    return log.messages().stream()
        .filter(message -> message.contains("computing at io.heddle.HandOffLogTest." + place))
        .toList();
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
    return Scheduler.builder().name("talker").procs(1).timeSlice(Duration.ofMillis(10)).build();
  }

  /** Returns when a goroutine that computes has lost the P to others, for whatever reason, and has ended. */
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
    // The monitor looks at its stack behind that: some more work, so that this comes first, mostly.
    int more = ran.get() + 100;
    for (int i = ran.get() + 1; i <= more; i++) {
      scheduler.go(ran::incrementAndGet);
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
