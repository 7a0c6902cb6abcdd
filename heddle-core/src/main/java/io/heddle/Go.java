package io.heddle;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The words of a Go program: {@code import static io.heddle.Go.*;}.
 *
 * <p>Each is about the scheduler of the calling goroutine; called from any other thread, about {@link
 * Scheduler#shared()}.
 */
public final class Go {
  private Go() {}

  /** Starts a goroutine. Never blocks, never switches away from the caller. */
  public static Goroutine go(Task task) {
    G g = Sched.current();
    return g == null ? Scheduler.shared().go(task) : Scheduler.of(g).startFrom(g, null, task, task);
  }

  /** Starts a goroutine with a name, for dumps. */
  public static Goroutine go(String name, Task task) {
    G g = Sched.current();
    return g == null
        ? Scheduler.shared().go(name, task)
        : Scheduler.of(g).startFrom(g, Objects.requireNonNull(name, "name"), task, task);
  }

  /**
   * Runs a Go program: {@code main} as the main goroutine of the shared scheduler. Returns when it returns, and throws
   * what it threw; other goroutines are left to themselves.
   */
  public static void main(Task main) throws Exception {
    Scheduler.shared().run(main);
  }

  /** Lets others run: the caller goes to the tail of the global queue. */
  public static void gosched() {
    Thread.yield();
  }

  /** How many goroutines run at the same time: Go's GOMAXPROCS. */
  public static int procs() {
    return scheduler().procs();
  }

  /** Sets how many goroutines run at the same time and returns how many it were; 0 or less only asks. */
  public static int procs(int n) {
    return scheduler().procs(n);
  }

  /** How many goroutines are alive. */
  public static int goroutines() {
    return scheduler().goroutines();
  }

  /** The goroutine that calls, null if the caller is another kind of thread. */
  public static @Nullable Goroutine current() {
    return (LiveGoroutine) Sched.current();
  }

  private static Scheduler scheduler() {
    G g = Sched.current();
    return g == null ? Scheduler.shared() : Scheduler.of(g);
  }
}
