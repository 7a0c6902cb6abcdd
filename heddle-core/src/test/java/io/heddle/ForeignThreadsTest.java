package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goroutines and virtual threads of the JDK's scheduler wake each other. */
@HangGuard
@Tag("jdks")
class ForeignThreadsTest {
  private static final int ROUNDS = 2_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void goroutineAndForeignThreadExchangeValues(int procs) throws Exception {
    BlockingQueue<Integer> there = new SynchronousQueue<>();
    BlockingQueue<Integer> back = new SynchronousQueue<>();
    Thread foreign = Thread.startVirtualThread(() -> echo(there, back));
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              there.put(i);
              assertThat(back.take()).isEqualTo(i);
            }
          });
    }
    foreign.join();
  }

  private static void echo(BlockingQueue<Integer> there, BlockingQueue<Integer> back) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        back.put(there.take());
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void goroutineStartsForeignThread() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    Thread foreign = Thread.ofVirtual().unstarted(ran::countDown);
    OneP.run(foreign::start);
    ran.await();
    assertThat(ran.getCount()).isZero();
  }

  @Test
  void goroutineInterruptsParkedForeignThread() throws Exception {
    Thread foreign =
        Thread.startVirtualThread(
            () -> {
              while (!Thread.interrupted()) {
                LockSupport.park();
              }
            });
    Await.until(foreign::getState, Thread.State.WAITING);
    OneP.run(foreign::interrupt);
    foreign.join();
    assertThat(foreign.isAlive()).isFalse();
  }

  @Test
  void goroutineReleasesMonitorToForeignThread() throws Exception {
    Object lock = new Object();
    Thread[] foreign = new Thread[1];
    OneP.run(
        () -> {
          synchronized (lock) {
            foreign[0] = startOutside(() -> enter(lock));
            Await.until(foreign[0]::getState, Thread.State.BLOCKED);
          }
        });
    foreign[0].join();
    assertThat(foreign[0].isAlive()).isFalse();
  }

  private static void enter(Object lock) {
    synchronized (lock) {
      Thread.yield();
    }
  }

  /**
   * Starts the thread from a platform thread: started from a goroutine, it would be a goroutine.
   */
  private static Thread startOutside(Runnable task) throws InterruptedException {
    Thread[] started = new Thread[1];
    Thread.ofPlatform().start(() -> started[0] = Thread.startVirtualThread(task)).join();
    return started[0];
  }
}
