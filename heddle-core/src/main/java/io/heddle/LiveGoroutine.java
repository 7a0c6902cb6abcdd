package io.heddle;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The one implementation: the scheduler's G, with the task it runs and the face it shows. */
final class LiveGoroutine extends G implements Goroutine {
  /** Let go of when it starts to run, so that it does not outlive its use. */
  private @Nullable Task task;

  private final @Nullable StackTraceElement site;

  /** {@code caller} is the goroutine that makes it, if one does; {@code site} is where. */
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

  /** For a thread that was made with plain JDK calls. */
  LiveGoroutine(Sched sched, Thread thread) {
    super(sched, thread);
    this.site = null;
    if (!sched.isAdopter()
        && Thread.getDefaultUncaughtExceptionHandler() == null
        && !hasOwnHandler()) {
      thread.setUncaughtExceptionHandler((_, e) -> uncaught(e));
    }
  }

  /** For a thread factory. */
  static LiveGoroutine ofRunnable(Sched sched, Runnable task) {
    return ofRunnable(sched, task::run, task);
  }

  /** The same; what the caller sees started is {@code users}. */
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

  /** Whether the user has given the thread a handler for what nobody catches. */
  private boolean hasOwnHandler() {
    return !(thread().getUncaughtExceptionHandler() instanceof ThreadGroup);
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // throws a checked exception as it is
  private static <E extends Throwable> RuntimeException unchecked(Throwable t) throws E {
    throw (E) t;
  }
}
