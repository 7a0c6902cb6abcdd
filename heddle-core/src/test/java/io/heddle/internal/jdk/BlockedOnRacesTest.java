package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.internal.jdk.BlockedOn.Wait;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** {@link BlockedOn} on threads that continue while it reads their state. */
class BlockedOnRacesTest extends BlockedOnFixture {
  private static final int DEPTH = 500;
  private static final int ROUNDS = 300;

  /**
   * A read of the stack suspends the thread; a thread that is unparked meanwhile must continue.
   * Deep stacks make long reads.
   */
  @Test
  void unparkDuringAReadIsNotLost() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread parking = go(() -> deep(DEPTH, () -> parkInTurn(turn, done)));
    try (RepeatedReader _ = new RepeatedReader(() -> MonitorOwners.isHeldBy(parking, monitor))) {
      for (int round = 1; round <= ROUNDS; round++) {
        turn.set(round);
        LockSupport.unpark(parking);
        Await.until(done::get, round);
      }
    }
  }

  private static void parkInTurn(AtomicInteger turn, AtomicInteger done) {
    while (done.get() < ROUNDS) {
      while (turn.get() == done.get()) {
        LockSupport.park();
      }
      done.incrementAndGet();
    }
  }

  /** A thread that is unblocked at a monitor meanwhile must continue. */
  @Test
  void unblockDuringAReadIsNotLost() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread blocking = go(() -> deep(DEPTH, () -> enterInTurn(turn, done)));
    try (RepeatedReader _ = new RepeatedReader(() -> waitOf(blocking))) {
      for (int round = 1; round <= ROUNDS; round++) {
        synchronized (monitor) {
          turn.set(round);
          Await.until(() -> VirtualThreads.phase(blocking), ThreadState.MONITOR_ENTER);
        }
        Await.until(done::get, round);
      }
    }
  }

  private void enterInTurn(AtomicInteger turn, AtomicInteger done) {
    while (done.get() < ROUNDS) {
      while (turn.get() == done.get()) {
        Thread.yield();
      }
      synchronized (monitor) {
        done.incrementAndGet();
      }
    }
  }

  private static void deep(int frames, Runnable task) {
    if (frames == 0) {
      task.run();
    } else {
      deep(frames - 1, task);
    }
  }

  /** Reads the state of threads that park, block and wait meanwhile. */
  @Test
  void readNeverReportsThreadAsItsOwnHolder() throws InterruptedException {
    List<Object> monitors = List.of(new Object(), new Object());
    CountDownLatch running = new CountDownLatch(8);
    for (long i = running.getCount(); i > 0; i--) {
      go(
          () -> {
            for (int round = 0; round < 3_000; round++) {
              contend(monitors.get(ThreadLocalRandom.current().nextInt(monitors.size())));
            }
            running.countDown();
          });
    }
    while (running.getCount() != 0) {
      for (Thread thread : threads) {
        Wait wait = waitOf(thread);
        assertThat(wait == null ? null : wait.holder()).isNotSameAs(thread);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /**
   * The holder of the monitor parks for the lock. Some threads wait a little and are notified while
   * others hold the monitor.
   */
  private void contend(Object mine) throws InterruptedException {
    synchronized (mine) {
      lock.lock();
      try {
        Thread.yield();
      } finally {
        lock.unlock();
      }
      mine.notifyAll();
      if (ThreadLocalRandom.current().nextInt(8) == 0) {
        mine.wait(1);
      }
    }
  }

  /** Runs {@code read} repeatedly, until it is closed. */
  private static final class RepeatedReader implements AutoCloseable {
    private volatile boolean closed;
    private final Thread thread;

    RepeatedReader(Runnable read) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!closed) {
                      read.run();
                    }
                  });
    }

    @Override
    public void close() {
      closed = true;
      Await.until(() -> !thread.isAlive());
    }
  }
}
