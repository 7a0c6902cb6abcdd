package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.base.Clock;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A P that was taken from its M gets another M if there is work for it, and goes idle otherwise:
 * rule S4.
 *
 * <p>Each test takes the only P and hands it off itself. The monitor has ended, because it would
 * mend after some milliseconds what a hand-off leaves undone.
 */
@HangGuard
class HandOffTest {
  private final BareSched bare = new BareSched().procs(1);
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private Sched sched;
  private P p;
  private boolean isHandedOff;

  @BeforeEach
  void takeTheOnlyP() throws Exception {
    sched = bare.open().sched();
    bare.awaitIdle();
    sched.sysmon.end().join();
    p = sched.spinning.takeIdleP();
    assertThat(p).isNotNull();
  }

  @AfterEach
  void close() {
    over.set(true);
    if (!isHandedOff) {
      sched.handOff.handOff(p);
    }
    sched.spinning.wakeP(); // after a failure a goroutine may be left, and close waits for it
    bare.close();
  }

  @Test
  void s4_pWithLocalWorkGetsAnMAtOnce() throws Exception {
    BareSched.BareG g = bare.go(this::runUntilOver);
    boolean _ = p.runQueue.put(sched.globalQueue.take(), false);
    assertThat(sched.globalQueue.isEmpty()).isTrue();
    handOffBusy();
    over.set(true);
    g.join();
  }

  @Test
  void s4_globalWorkGivesThePAnMAtOnce() throws Exception {
    BareSched.BareG g = bare.go(this::runUntilOver);
    assertThat(sched.globalQueue.size()).isEqualTo(1);
    handOffBusy();
    over.set(true);
    g.join();
  }

  @Test
  void s4_pWithDueTimerGetsAnMAtOnce() {
    boolean _ = new Alarm().arm(p.timers, Clock.now(), 0);
    handOffBusy();
    over.set(true);
  }

  @Test
  void s4_unwatchedTimerGetsAnM() {
    Alarm alarm = new Alarm();
    boolean _ = alarm.arm(p.timers, Clock.now() + Duration.ofHours(1).toNanos(), 0);
    assertThat(sched.timekeeper.isKept()).isFalse();
    handOff();
    Await.until(sched.timekeeper::isKept);
    assertThat(runs).hasValue(0);
    assertThat(alarm.stop()).isTrue();
  }

  @Test
  void s4_pWithoutWorkGoesIdleAndWakesNoM() {
    int threads = sched.threads.count();
    handOff();
    assertThat(p.isIdle()).isTrue();
    assertThat(bare.isIdle()).isTrue();
    assertThat(sched.threads.count()).isEqualTo(threads);
  }

  /** The P has an M as soon as the call returns, and that M does the work. */
  private void handOffBusy() {
    assertThat(runs).hasValue(0);
    handOff();
    assertThat(p.isIdle()).isFalse();
    Await.until(runs::get, 1);
  }

  private void handOff() {
    isHandedOff = true;
    sched.handOff.handOff(p);
  }

  private void runUntilOver() {
    runs.incrementAndGet();
    while (!over.get()) {
      VirtualThreads.osYield();
    }
  }

  private final class Alarm extends Deadline {
    @Override
    protected void fire(long generation) {
      runUntilOver();
    }
  }
}
