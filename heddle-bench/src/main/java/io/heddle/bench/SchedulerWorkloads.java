package io.heddle.bench;

import io.heddle.Task;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The measured workloads, written once for all schedulers: plain JDK calls on virtual threads. */
final class SchedulerWorkloads {
  /**
   * Operations per invocation, large enough that the start and end of an invocation do not count.
   */
  static final int OPS = 100_000;

  private SchedulerWorkloads() {}

  /**
   * One thread starts {@link #OPS} others that only count down, {@code atOnce} at a time, and waits
   * for the last one.
   */
  static Runnable spawn(VirtualThreadScheduler on, int atOnce) {
    return () -> {
      for (int n = 0; n < OPS; n += atOnce) {
        spawnAndWait(on, atOnce);
      }
    };
  }

  private static void spawnAndWait(VirtualThreadScheduler on, int count) {
    Thread root = Thread.currentThread();
    AtomicInteger left = new AtomicInteger(count);
    for (int i = 0; i < count; i++) {
      on.start(
          (Runnable & Task)
              () -> {
                if (left.decrementAndGet() == 0) {
                  LockSupport.unpark(root);
                }
              });
    }
    while (left.get() != 0) {
      LockSupport.park();
    }
  }

  /** Two threads yield to each other. */
  @SuppressWarnings("NamedLikeContextualKeyword") // the name of the row
  static Runnable yield(VirtualThreadScheduler on) {
    return () -> {
      Thread root = Thread.currentThread();
      AtomicInteger left = new AtomicInteger(2);
      for (int i = 0; i < 2; i++) {
        on.start(
            (Runnable & Task)
                () -> {
                  for (int n = 0; n < OPS / 2; n++) {
                    Thread.yield();
                  }
                  if (left.decrementAndGet() == 0) {
                    LockSupport.unpark(root);
                  }
                });
      }
      while (left.get() != 0) {
        LockSupport.park();
      }
    };
  }

  /** Two threads pass the turn to each other by unpark, and park until it comes back. */
  static Runnable pingPong(VirtualThreadScheduler on) {
    return () -> {
      Turn turn = new Turn(Thread.currentThread());
      on.start((Runnable & Task) turn::pong);
      turn.ping();
    };
  }

  /** The turn: an even number for the first thread, an odd one for the second. */
  private static final class Turn {
    private final Thread first;
    private volatile @Nullable Thread second;
    private volatile int turn;

    Turn(Thread first) {
      this.first = first;
    }

    void ping() {
      while (second == null) {
        Thread.yield();
      }
      for (int n = 0; n < OPS; n++) {
        turn = 2 * n + 1;
        LockSupport.unpark(second);
        await(2 * n + 2);
      }
    }

    void pong() {
      second = Thread.currentThread();
      for (int n = 0; n < OPS; n++) {
        await(2 * n + 1);
        turn = 2 * n + 2;
        LockSupport.unpark(first);
      }
    }

    private void await(int mine) {
      while (turn != mine) {
        LockSupport.park(this);
      }
    }
  }
}
