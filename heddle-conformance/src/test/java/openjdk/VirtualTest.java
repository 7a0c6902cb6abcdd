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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * Base of tests of what the JDK promises about virtual threads, modelled on OpenJDK's tests and
 * written from scratch. They do not use Heddle, and must pass in either {@link World}. Each fails
 * if it hangs.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("jdks")
public abstract class VirtualTest {
  /** A task that may throw. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }

  /** A virtual thread and the result of its task. */
  public record Started<T>(Thread thread, FutureTask<T> task) {
    /** Returns the result; fails with the task's exception. */
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

  /** Runs a task in a new virtual thread, until it ends. */
  protected static void virtually(Task task) throws Exception {
    start(task).result();
  }

  /** Runs a task twice: in the calling thread, and in a virtual one. */
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

  /** Runs a task in {@code n} virtual threads at once, until all end. */
  protected static void manyTimes(int n, Task task) throws Exception {
    List<Started<Void>> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(start(task));
    }
    awaitAll(all);
  }

  /** Waits until all have ended; fails with the exception of one. */
  protected static void awaitAll(List<? extends Started<?>> all) throws Exception {
    for (Started<?> each : all) {
      each.result();
    }
  }

  /**
   * Waits until the condition holds. An interrupt ends the wait, such as the interrupt of a test
   * that takes too long. A virtual thread parks between two checks, because the JDK's scheduler may
   * run no other thread on a carrier whose threads only yield.
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

  /** Waits until {@code thread} is in that state. */
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

  /** Interrupts {@code thread} when it is in that state; returns at once. */
  protected static void interruptWhen(Thread thread, Thread.State state) {
    Thread.ofPlatform().daemon().start(() -> await(thread, state).interrupt());
  }

  protected static boolean mentions(StackTraceElement[] stack, String what) {
    return Stream.of(stack).anyMatch(frame -> frame.toString().contains(what));
  }
}
