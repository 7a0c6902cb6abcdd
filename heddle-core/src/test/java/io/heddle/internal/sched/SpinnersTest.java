package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.inspect.Invariants;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The number of Ms that are woken for queued goroutines, while none of the woken Ms gets a CPU:
 * rule F5.
 */
@HangGuard
class SpinnersTest {
  /**
   * {@code held}: all new Ms. {@code woken}: those that were assigned a P. The first M exists from
   * the start and must sleep.
   */
  private final List<Thread> held = new CopyOnWriteArrayList<>();

  private final List<Thread> woken = new CopyOnWriteArrayList<>();
  private volatile boolean isOver;
  private final AtomicInteger runs = new AtomicInteger();
  private final BareSched bare = new BareSched().starter(this::hold);

  @AfterEach
  @HangGuard
  void close() {
    isOver = true;
    startHeldMs();
    bare.close();
  }

  @Test
  void f5_foreignThreadWakesOneMPerQueuedGoroutine() {
    open(4);
    start(1);
    assertThat(woken).hasSize(1);
    start(2);
    assertThat(woken).hasSize(3);
    assertThat(SchedCounters.of(bare.sched()).spinningThreads()).isEqualTo(3);
    awaitRuns(3);
  }

  @Test
  void f5_foreignThreadWakesAtMostOneMPerP() {
    open(2);
    start(5);
    assertThat(woken).hasSize(2);
    awaitRuns(5);
  }

  @Test
  void f5_foreignThreadWakesNoMIfEnoughMsSpin() {
    open(4);
    start(2);
    G taken = bare.sched().globalQueue.take();
    try {
      start(1);
      assertThat(woken).hasSize(2);
    } finally {
      bare.sched().globalQueue.put(taken); // before the Ms look for work
    }
    awaitRuns(3);
  }

  @Test
  void f5_goroutineWakesNoMIfOneSpins() {
    open(4);
    bare.go(() -> start(3));
    woken.getFirst().start();
    Await.until(runs::get, 3);
    assertThat(woken).hasSize(2);
    awaitRuns(3);
  }

  /** Opens the scheduler and waits until sysmon sleeps, because sysmon could wake an M as well. */
  private void open(int procs) {
    bare.procs(procs).open();
    Await.until(bare.sched().sysmon::isAsleep);
  }

  private void start(int n) {
    for (int i = 0; i < n; i++) {
      bare.go(runs::incrementAndGet);
    }
  }

  private void hold(Thread thread) {
    if (thread instanceof M m && !isOver) {
      held.add(m);
      if (m.mailbox.hasP()) {
        woken.add(m);
      }
    } else {
      thread.start();
    }
  }

  private void awaitRuns(int n) {
    startHeldMs();
    Await.until(
        () -> {
          startHeldMs(); // Ms that the running Ms have woken since
          return runs.get() == n && bare.isIdle();
        });
    Invariants.check(bare.sched());
  }

  /** Starts the Ms that were held back. */
  private void startHeldMs() {
    for (Thread thread : held) {
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
    }
  }
}
