package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No wakeup is lost between threads that make goroutines ready and Ms that go to sleep: rule F6.
 */
@HangGuard
class WakeupTest {
  private static final int ROUNDS = 5_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void f6_goroutineStartedWhileAllMsSleepRuns(int procs) throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int round = 0; round < ROUNDS / 2; round++) {
        Await.idle(scheduler);
        scheduler.go(runs::incrementAndGet).join();
      }
    }
    assertThat(runs).hasValue(ROUNDS / 2);
  }

  /**
   * Starts the next goroutine at the moment at which the last M checks for work before it sleeps.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void f6_goroutineStartedWhileMsGoToSleepRuns(int procs) {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int round = 1; round <= 4 * ROUNDS; round++) {
        scheduler.go(runs::incrementAndGet);
        Await.until(runs::get, round);
      }
    }
    assertThat(runs).hasValue(4 * ROUNDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void f6_goroutineAndForeignThreadUnparkEachOther(int procs) {
    PingPong game = new PingPong(Thread.currentThread());
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      Goroutine player = scheduler.go(game::playInside);
      game.playOutside(player.thread());
    }
    assertThat(game.ball).hasValue(2 * ROUNDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void f6_twoGoroutinesUnparkEachOther(int procs) throws Exception {
    AtomicReference<PingPong> game = new AtomicReference<>();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            game.set(new PingPong(Thread.currentThread()));
            game.get().playOutside(Go.go(game.get()::playInside).thread());
          });
    }
    assertThat(game.get().ball).hasValue(2 * ROUNDS);
  }

  @Test
  void f6_foreignThreadsStartGoroutinesConcurrently() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      List<Thread> starters = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        starters.add(Thread.ofPlatform().start(() -> startOneByOne(scheduler, runs)));
      }
      for (Thread starter : starters) {
        starter.join();
      }
    }
    assertThat(runs).hasValue(3 * ROUNDS);
  }

  private static void startOneByOne(Scheduler scheduler, AtomicInteger runs) {
    for (int round = 0; round < ROUNDS; round++) {
      CountDownLatch ran = new CountDownLatch(1);
      scheduler.go(
          () -> {
            runs.incrementAndGet();
            ran.countDown();
          });
      Await.until(() -> ran.getCount() == 0);
    }
  }

  /** The ball is even when it is the outside thread's turn. */
  private static final class PingPong {
    final AtomicInteger ball = new AtomicInteger();
    private final Thread outside;

    PingPong(Thread outside) {
      this.outside = outside;
    }

    void playOutside(Thread inside) {
      play(0, inside);
    }

    void playInside() {
      play(1, outside);
    }

    private void play(int side, Thread other) {
      for (int round = 0; round < ROUNDS; round++) {
        while (ball.get() % 2 != side) {
          LockSupport.park(this);
        }
        ball.incrementAndGet();
        LockSupport.unpark(other);
      }
    }
  }
}
