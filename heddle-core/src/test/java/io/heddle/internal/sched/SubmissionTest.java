package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.LogCapture;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.ThreadState;
import io.heddle.internal.jdk.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However often a continuation is submitted, its goroutine is queued once and runs once: rule Q7.
 */
@HangGuard
@Tag("jdks")
class SubmissionTest {
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void q7_goroutineSubmittedRepeatedlyIsQueuedOnce() throws Exception {
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
  void q7_submittingRunningOrDeadGoroutineHasNoEffect() throws Exception {
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
      Invariants.check(bare.sched());
      assertThat(SchedCounters.of(bare.sched()).finished()).isEqualTo(1);
    }
    assertThat(runs).hasValue(1);
  }

  /** Each read of the stack of a runnable goroutine submits the goroutine once more. */
  @Test
  void q7_stackReadsQueueNoGoroutineTwice() throws Exception {
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
      Invariants.check(bare.sched());
      assertThat(looks).isPositive();
      assertThat(bare.uncaught).isEmpty();
      assertThat(log.messages()).as("goroutines that could not run").isEmpty();
    }
    assertThat(runs).hasValue(20);
  }

  /**
   * A late submission gives a parked goroutine an empty run, just when another thread unparks it.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void q7_unparkDuringEmptyRunIsNotLost(int procs) {
    int rounds = 100_000;
    AtomicInteger wakeups = new AtomicInteger();
    try (BareSched bare = new BareSched().procs(procs).open()) {
      BareSched.BareG g = bare.go(() -> countWakeups(wakeups, rounds));
      for (int round = 1; round <= rounds; round++) {
        Await.until(() -> VirtualThreads.phase(g.thread) == ThreadState.PARKED);
        g.execute(g.continuation());
        for (int i = round % 400;
            i > 0 && g.isRunnable();
            i--) {} // until the goroutine is about to run
        wakeups.set(round);
        LockSupport.unpark(g.thread);
        Await.until(runs::get, round);
      }
    }
  }

  /** A late submission gives a yielding goroutine an empty run while it runs on another M. */
  @Test
  void q7_yieldDuringEmptyRunIsNotLost() {
    int rounds = 1_000_000;
    try (BareSched bare = new BareSched().procs(2).open()) {
      BareSched.BareG g = bare.go(() -> yieldUntil(rounds));
      while (runs.get() < rounds) {
        int seen = runs.get();
        g.execute(g.continuation());
        Await.until(() -> runs.get() > seen + 2 || runs.get() >= rounds);
      }
    }
  }

  /** After the last read of a stack nothing submits again what a read has lost. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void q7_goroutineThatYieldsAndParksDuringStackReadsEndsOnce(int procs) throws Exception {
    int rounds = 1_000;
    try (LogCapture log = new LogCapture();
        BareSched bare = new BareSched().procs(procs).open()) {
      for (int round = 1; round <= rounds; round++) {
        List<BareSched.BareG> all = startRing(bare, 6);
        Thread looker = Thread.ofPlatform().start(() -> readStacks(20, all));
        readStacks(20, all);
        looker.join();
        Await.until(bare.sched()::goroutines, 0);
        assertThat(runs).hasValue(6 * round);
      }
      bare.awaitIdle();
      Invariants.check(bare.sched());
      assertThat(bare.uncaught).isEmpty();
      assertThat(log.messages()).as("goroutines that could not run").isEmpty();
    }
  }

  /** Each goroutine waits for its predecessor, yields, and wakes its successor, for some rounds. */
  private List<BareSched.BareG> startRing(BareSched bare, int n) {
    List<BareSched.BareG> all = new CopyOnWriteArrayList<>();
    AtomicInteger turn = new AtomicInteger();
    for (int i = 0; i < n; i++) {
      int number = i;
      all.add(bare.newG(() -> takeTurns(all, turn, number)));
    }
    all.forEach(bare.sched()::start);
    return all;
  }

  private void takeTurns(List<BareSched.BareG> all, AtomicInteger turn, int number) {
    for (int round = 0; round < 20; round++) {
      while (turn.get() % all.size() != number) {
        LockSupport.park(this);
      }
      turn.incrementAndGet();
      Thread.yield();
      LockSupport.unpark(all.get((number + 1) % all.size()).thread);
    }
    runs.incrementAndGet();
  }

  private static void readStacks(int n, List<BareSched.BareG> all) {
    for (int i = 0; i < n; i++) {
      all.forEach(g -> g.thread.getStackTrace());
    }
  }

  private void countWakeups(AtomicInteger wakeups, int rounds) {
    while (runs.get() < rounds) {
      if (runs.get() < wakeups.get()) {
        runs.incrementAndGet();
      } else {
        LockSupport.park(this);
      }
    }
  }

  private void yieldUntil(int rounds) {
    while (runs.get() < rounds) {
      Thread.yield();
      runs.incrementAndGet();
    }
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
