package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.jdk.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** However often a continuation is submitted, its goroutine is queued once and runs once: rule Q7. */
@HangGuard
class SubmissionTest {
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void q7_aGoroutineSubmittedAHundredTimesIsQueuedOnce() throws Exception {
    try (BareSched bare = new BareSched().procs(1).open()) {
      keepBusy(bare);
      BareSched.BareG g = bare.go(runs::incrementAndGet);
      for (int i = 0; i < 100; i++) {
        g.execute(g.continuation());
      }
      assertThat(bare.sched().globalQueue.size()).isEqualTo(1);
      over.set(true);
      g.join();
    }
    assertThat(runs).as("runs of the busy one and of this one").hasValue(2);
  }

  @Test
  void q7_submittingARunningOrDeadGoroutineDoesNothingToIt() throws Exception {
    try (BareSched bare = new BareSched().procs(2).open()) {
      BareSched.BareG running = keepBusy(bare);
      for (int i = 0; i < 100; i++) {
        running.execute(running.continuation());
      }
      over.set(true);
      running.join();
      Await.until(running::isDead);
      running.execute(running.continuation());
      bare.awaitIdle();
      bare.sched().checkInvariants();
      assertThat(bare.sched().books().finished()).isEqualTo(1);
    }
    assertThat(runs).hasValue(1);
  }

  /** Each look at the stack of a runnable goroutine submits it once more. */
  @Test
  void q7_aStormOfLooksAtStacksQueuesNobodyTwice() throws Exception {
    List<BareSched.BareG> all = new ArrayList<>();
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(2).open()) {
      for (int i = 0; i < 20; i++) {
        all.add(bare.go(this::yieldThousandTimes));
      }
      int looks = 0;
      while (bare.sched().goroutines() > 0) {
        all.forEach(g -> g.thread.getStackTrace());
        looks++;
      }
      bare.awaitIdle();
      bare.sched().checkInvariants();
      assertThat(looks).isPositive();
      assertThat(bare.uncaught).isEmpty();
      assertThat(log.messages()).as("goroutines that could not run").isEmpty();
    }
    assertThat(runs).hasValue(20);
  }

  private BareSched.BareG keepBusy(BareSched bare) {
    AtomicBoolean isRunning = new AtomicBoolean();
    BareSched.BareG busy =
        bare.go(
            () -> {
              runs.incrementAndGet();
              isRunning.set(true);
              while (!over.get()) {
                VirtualThreads.osYield();
              }
            });
    Await.until(isRunning::get);
    return busy;
  }

  private void yieldThousandTimes() {
    for (int i = 0; i < 1_000; i++) {
      Thread.yield();
    }
    runs.incrementAndGet();
  }
}
