package io.heddle;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The only implementation of Goroutine: the scheduler's G, with the task that it runs and the
 * methods that users see.
 */
final class LiveGoroutine extends G implements Goroutine {
  /**
   * Cleared when the goroutine starts to run, so that it can be collected as soon as it is unused.
   */
  private @Nullable Task task;

  private final @Nullable StackTraceElement site;

  /**
   * {@code caller} is the goroutine that makes this one, or null; {@code site} is the creation
   * site.
   */
  LiveGoroutine(
      Sched sched,
      @Nullable String name,
      Task task,
      @Nullable G caller,
      @Nullable StackTraceElement site) {
    super(sched, name, caller);
    this.task = task;
    this.site = site;
  }

  /** Represents a thread that was made with plain JDK calls. */
  LiveGoroutine(Sched sched, Thread thread) {
    super(sched, thread);
    this.site = null;
    if (!sched.isAdopter()
        && Thread.getDefaultUncaughtExceptionHandler() == null
        && !hasOwnHandler()) {
      thread.setUncaughtExceptionHandler((_, e) -> uncaught(e));
    }
  }

  /** Makes a goroutine for a thread factory. */
  static LiveGoroutine ofRunnable(Sched sched, Runnable task) {
    return ofRunnable(sched, task::run, task);
  }

  /**
   * Makes a goroutine for {@code task}, which wraps {@code users}, the Runnable that the user
   * passed.
   */
  static LiveGoroutine ofRunnable(Sched sched, Task task, Runnable users) {
    return new LiveGoroutine(sched, null, task, Sched.current(), CreationSite.of(users));
  }

  @Override
  public void run() {
    Task mine = task;
    task = null;
    try {
      if (mine != null) {
        mine.run();
      }
    } catch (Throwable t) {
      if (hasOwnHandler()) {
        throw unchecked(t);
      }
      uncaught(t);
    } finally {
      finished();
    }
  }

  @Override
  public String name() {
    return thread().getName();
  }

  @Override
  public State state() {
    return State.valueOf(goroutineState().name());
  }

  @Override
  public String waitReason() {
    return reason();
  }

  @Override
  public void join() throws InterruptedException {
    thread().join();
  }

  @Override
  public boolean join(Duration d) throws InterruptedException {
    return thread().join(d);
  }

  @Override
  public void interrupt() {
    thread().interrupt();
  }

  @Override
  public @Nullable StackTraceElement site() {
    return site;
  }

  @Override
  public String toString() {
    String name = name();
    return "goroutine " + id() + (name.isEmpty() ? "" : " \"" + name + "\"");
  }

  /** Whether the user set an uncaught-exception handler on the thread itself. */
  private boolean hasOwnHandler() {
    return !(thread().getUncaughtExceptionHandler() instanceof ThreadGroup);
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // rethrows a checked exception unchanged
  private static <E extends Throwable> RuntimeException unchecked(Throwable t) throws E {
    throw (E) t;
  }
}
