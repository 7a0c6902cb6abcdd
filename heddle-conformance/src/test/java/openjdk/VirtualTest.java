package openjdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of what the JDK promises of its virtual threads, after those of OpenJDK and in words of our own. They know nothing of
 * Heddle, and hold in either {@link World}. Each fails when it hangs.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class VirtualTest {
  /** What may fail. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /** A virtual thread, and what comes of what it does. */
  public record Started<T>(Thread thread, FutureTask<T> task) {
    /** What it returned; fails with what left it. */
    public T result() throws Exception {
      thread.join();
      try {
        return task.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw new AssertionError(e.getCause());
      }
    }
  }

  @BeforeAll
  static void theWorldIsTheOneAskedFor() throws Exception {
    World.check();
  }

  /** In a virtual thread of its own, to its end. */
  protected static void virtually(Task task) throws Exception {
    start(task).result();
  }

  /** Twice: in the calling thread, and in a virtual one. */
  protected static void platformAndVirtual(Task task) throws Exception {
    task.run();
    virtually(task);
  }

  protected static Started<Void> start(Task task) {
    return call(
        () -> {
          task.run();
          return null;
        });
  }

  protected static <T> Started<T> call(Callable<T> call) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              World.checkCaller();
              return call.call();
            });
    return new Started<>(Thread.ofVirtual().start(task), task);
  }

  /** In so many virtual threads at once, to the end of all. */
  protected static void manyTimes(int n, Task task) throws Exception {
    List<Started<Void>> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(start(task));
    }
    awaitAll(all);
  }

  /** Until all have ended; fails with what left one. */
  protected static void awaitAll(List<? extends Started<?>> all) throws Exception {
    for (Started<?> each : all) {
      each.result();
    }
  }

  /**
   * Until it is so. An interrupt ends it, as that of a test that takes too long. A virtual thread parks between two looks:
   * the JDK's scheduler may run nobody else on a carrier whose threads do nothing but yield.
   */
  protected static void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new AssertionError("interrupted before it was so");
      }
      if (Thread.currentThread().isVirtual()) {
        LockSupport.parkNanos(10_000);
      } else {
        Thread.yield();
      }
    }
  }

  /** Until it is in that state. */
  protected static Thread await(Thread thread, Thread.State state) {
    until(
        () -> {
          Thread.State now = thread.getState();
          assertThat(now == Thread.State.TERMINATED && now != state)
              .as("%s has ended and was never seen %s", thread, state)
              .isFalse();
          return now == state;
        });
    return thread;
  }

  /** Interrupts {@code thread} when it is in that state; goes on at once. */
  protected static void interruptWhen(Thread thread, Thread.State state) {
    Thread.ofPlatform().daemon().start(() -> await(thread, state).interrupt());
  }

  protected static boolean mentions(StackTraceElement[] stack, String what) {
    return Stream.of(stack).anyMatch(frame -> frame.toString().contains(what));
  }
}
