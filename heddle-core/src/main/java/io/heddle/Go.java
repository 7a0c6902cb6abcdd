package io.heddle;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.BlockingCalls;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.wait.Sleep;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a Go program as static methods, for {@code import static io.heddle.Go.*;}.
 *
 * {@snippet :
 * import static io.heddle.Go.go;
 *
 * import io.heddle.Chan;
 * import io.heddle.Go;
 *
 * class Greeting {
 *   public static void main(String[] args) throws Exception {
 *     Go.main(() -> {                        // runs this as the main goroutine
 *       Chan<String> greetings = Chan.make();
 *       go(() -> greetings.send("hello"));   // starts another goroutine
 *       System.out.println(greetings.receive());
 *     });
 *   }
 * }
 * }
 *
 * <p>Each method refers to the scheduler of the calling goroutine. From any other thread it refers
 * to {@link Scheduler#shared()}. All methods can be called from any thread.
 *
 * <p>The first use needs access to {@code java.lang}: start Java with
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED}, or with Heddle's agent. Without either, it
 * throws an exception that names the flag.
 *
 * <p>Memory consistency: actions before {@link #go} <i>happen-before</i> the actions of the
 * goroutine that it starts. The actions of a goroutine <i>happen-before</i> actions after a
 * {@link Goroutine#join()} that waited for its end.
 */
public final class Go {
  private Go() {}

  /**
   * Starts a goroutine that runs {@code task}: Go's {@code go} statement. Neither waits nor
   * switches away from the caller. The goroutine inherits the caller's {@link Context#current}.
   *
   * <p>An exception that leaves {@code task} ends only this goroutine. It goes to the scheduler's
   * {@linkplain Scheduler.Builder#uncaught handler}, which by default writes it to standard error.
   *
   * @param task what the goroutine does
   * @return the new goroutine
   */
  public static Goroutine go(Task task) {
    G g = caller();
    return g == null ? Scheduler.shared().go(task) : Scheduler.of(g).startFrom(g, null, task, task);
  }

  /**
   * Starts a goroutine with a name, which dumps and traces show. Otherwise like {@link #go(Task)}.
   *
   * @param name the name, also of its {@linkplain Goroutine#thread thread}
   * @param task what the goroutine does
   * @return the new goroutine
   */
  public static Goroutine go(String name, Task task) {
    G g = caller();
    return g == null
        ? Scheduler.shared().go(name, task)
        : Scheduler.of(g).startFrom(g, Objects.requireNonNull(name, "name"), task, task);
  }

  /**
   * Starts a goroutine for {@code task}, which wraps the task {@code users} that the user passed.
   * The class of {@code users} determines the recorded creation site.
   */
  static Goroutine start(Task task, Task users) {
    G g = caller();
    Scheduler scheduler = g == null ? Scheduler.shared() : Scheduler.of(g);
    return scheduler.startFrom(g, null, task, users);
  }

  /**
   * Runs {@code main} as the main goroutine of the shared scheduler and waits until it returns.
   * Unlike in Go, goroutines that are still alive then run on. See {@link Scheduler#run}.
   *
   * <p>A class with a {@code main} method must call this as {@code Go.main}, because its own method
   * hides the static import.
   *
   * @param main the program
   * @throws Exception what {@code main} threw
   * @throws DeadlockException if the main goroutine can never continue
   */
  public static void main(Task main) throws Exception {
    Scheduler.shared().run(main);
  }

  /**
   * Lets other goroutines run: puts the caller at the tail of the global run queue. From any other
   * thread this is {@link Thread#yield}.
   */
  public static void gosched() {
    Mounter.current().yieldNow();
  }

  /**
   * Sleeps for {@code d}; does not sleep if {@code d} is zero or negative. From any other thread
   * this is {@link Thread#sleep(Duration)}.
   *
   * @param d the time to sleep
   * @throws InterruptedException if the caller is interrupted before or while it sleeps; this
   *     clears the interrupt flag
   */
  public static void sleep(Duration d) throws InterruptedException {
    G g = caller();
    if (g == null) {
      Thread.sleep(d);
    } else {
      Sleep.sleep(g.sched(), saturatedNanos(d));
    }
  }

  private static long saturatedNanos(Duration d) {
    return TimeUnit.NANOSECONDS.convert(d);
  }

  /**
   * Makes a call that blocks the OS thread, for example a call of native code. The goroutine gives
   * up its P before the call, so other goroutines run meanwhile. A blocking call without this
   * method has the same effect, but only after some milliseconds, when the monitor thread notices
   * it. From any other thread this is just {@code call.call()}.
   *
   * {@snippet :
   * int status = Go.blocking(() -> nativeLibrary.waitForDevice());
   * }
   *
   * @param <T> the type of the result
   * @param call the call that blocks
   * @return what {@code call} returned
   * @throws Exception what {@code call} threw
   */
  public static <T> T blocking(Callable<T> call) throws Exception {
    Objects.requireNonNull(call, "call");
    if (caller() == null) {
      return call.call();
    }
    BlockingCalls.enter();
    try {
      return call.call();
    } finally {
      BlockingCalls.exit();
    }
  }

  /**
   * Ties the calling goroutine to its OS thread, for native code that needs the same thread for
   * each call: Go's {@code runtime.LockOSThread}. From now on the goroutine runs on no other thread
   * and no other goroutine runs on this one. This ends when the goroutine has called
   * {@link #unlockThread} as often as this method, or ends. Does nothing on a platform thread.
   *
   * @throws IllegalStateException if the caller is a virtual thread and not a goroutine
   */
  public static void lockThread() {
    if (caller() != null) {
      Sched.lockThread();
    } else if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "lockThread: " + Thread.currentThread() + " is not a goroutine, so it cannot be tied");
    }
  }

  /** Undoes one call of {@link #lockThread}. Does nothing if there is none to undo. */
  public static void unlockThread() {
    if (caller() != null) {
      Sched.unlockThread();
    }
  }

  /**
   * Returns the number of goroutines that can run at the same time: Go's {@code GOMAXPROCS}.
   *
   * @return the number of Ps
   */
  public static int procs() {
    return scheduler().procs();
  }

  /**
   * Sets the number of goroutines that can run at the same time. Goroutines that are running
   * continue until they yield or wait.
   *
   * @param n the number of Ps, at most 1024; 0 or less changes nothing
   * @return the number before the call
   * @throws IllegalArgumentException if {@code n} is greater than 1024
   */
  public static int procs(int n) {
    return scheduler().procs(n);
  }

  /**
   * Returns the number of goroutines that were started and have not ended.
   *
   * @return the number of goroutines alive
   */
  public static int goroutines() {
    return scheduler().goroutines();
  }

  /**
   * Returns the calling goroutine.
   *
   * @return the calling goroutine; null if the caller is any other thread
   */
  public static @Nullable Goroutine current() {
    return (LiveGoroutine) caller();
  }

  /**
   * The calling goroutine, or null. If {@code java.lang} is not open there can be none, and the
   * scheduler's classes cannot even be loaded.
   */
  private static @Nullable G caller() {
    return VirtualThreads.isOpen() ? Sched.current() : null;
  }

  /** The scheduler of the calling goroutine, or else the shared scheduler. */
  static Scheduler scheduler() {
    G g = caller();
    return g == null ? Scheduler.shared() : Scheduler.of(g);
  }
}
