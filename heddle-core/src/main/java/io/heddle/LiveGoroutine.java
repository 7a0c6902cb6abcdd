package io.heddle;

import io.heddle.internal.admit.Gate;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of Goroutine while Heddle is on: the scheduler's G, with the task that it runs
 * and the methods that users see. {@link PlainGoroutine} replaces it if Heddle is off.
 */
sealed class LiveGoroutine extends G implements Goroutine
    permits GatedGoroutine, GatedTaskGoroutine {
  /**
   * The code to run. The goroutine sets this field to null when it starts, because the field would
   * keep the task from the garbage collector until the goroutine ends.
   */
  private @Nullable Task task;

  /**
   * Makes a goroutine that runs {@code task}. {@code caller} is the goroutine that makes it; null
   * if the calling thread is not a goroutine. {@code site} is the place in the program that starts
   * it; null if that is not known.
   */
  LiveGoroutine(
      Sched sched,
      @Nullable String name,
      Task task,
      @Nullable G caller,
      @Nullable StackTraceElement site) {
    super(sched, name, caller, site);
    this.task = task;
    inheritLabels();
  }

  /**
   * Makes the goroutine of a virtual thread that plain JDK calls have made. Exceptions of the
   * thread must reach the scheduler's handler, so this constructor sets the thread's
   * uncaught-exception handler. It sets no handler if the user has set one. It also sets none if
   * the scheduler runs a program that does not use this library ({@code isAdopter}), because an
   * exception must then have the effect that it has in the JDK.
   */
  LiveGoroutine(Sched sched, Thread thread) {
    super(sched, thread);
    inheritLabels();
    if (!sched.isAdopter()
        && Thread.getDefaultUncaughtExceptionHandler() == null
        && !hasOwnHandler()) {
      thread.setUncaughtExceptionHandler((_, e) -> uncaught(e));
    }
  }

  /**
   * Makes the goroutine of a virtual thread. {@code gate} is the gate at which that thread has a
   * place; null if there is none.
   */
  static LiveGoroutine adopted(Sched sched, Thread thread, @Nullable Gate gate) {
    return gate == null
        ? new LiveGoroutine(sched, thread)
        : new GatedGoroutine(sched, thread, gate);
  }

  /**
   * Makes a goroutine that runs {@code task} and is not yet started. The task wraps {@code users},
   * the Runnable that the user passed. The class of {@code users} determines the creation site: see
   * {@link CreationSite}.
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
  public Duration cpuTime() {
    return Duration.ofNanos(cpuNanos());
  }

  private void inheritLabels() {
    Map<String, String> labels = Labels.ofCaller();
    if (!labels.isEmpty()) {
      label(labels);
    }
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
  public String toString() {
    String name = name();
    return "goroutine " + id() + (name.isEmpty() ? "" : " \"" + name + "\"");
  }

  /**
   * Whether the user set an uncaught-exception handler on the thread itself. If not, the JDK
   * returns the thread's group.
   */
  private boolean hasOwnHandler() {
    return !(thread().getUncaughtExceptionHandler() instanceof ThreadGroup);
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // rethrows a checked exception unchanged
  static <E extends Throwable> RuntimeException unchecked(Throwable t) throws E {
    throw (E) t;
  }
}
