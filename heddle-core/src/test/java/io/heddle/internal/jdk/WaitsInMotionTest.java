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

/** Threads that go on while they are looked at. */
class WaitsInMotionTest extends Waiters {
  private static final int DEPTH = 500;
  private static final int ROUNDS = 300;

  /** A look suspends a thread: one that is unparked meanwhile must run on. Deep stacks make long looks. */
  @Test
  void aThreadThatIsUnparkedWhileItIsLookedAt() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread parking = go(() -> deep(DEPTH, () -> parkInTurn(turn, done)));
    try (Looker _ = new Looker(() -> MonitorOwners.isHeldBy(parking, monitor))) {
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

  /** The same at a monitor. */
  @Test
  void aThreadThatIsUnblockedWhileItIsLookedAt() {
    AtomicInteger turn = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Thread blocking = go(() -> deep(DEPTH, () -> enterInTurn(turn, done)));
    try (Looker _ = new Looker(() -> waitOf(blocking))) {
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

  /** Threads of all kinds move on while they are looked at. */
  @Test
  void threadsThatMoveOnWhileTheyAreLookedAt() throws InterruptedException {
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

  /** Who has the monitor parks for the lock; some wait a little, to be notified while others hold it. */
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

  /** Looks again and again, until it is closed. */
  private static final class Looker implements AutoCloseable {
    private volatile boolean closed;
    private final Thread thread;

    Looker(Runnable look) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!closed) {
                      look.run();
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
