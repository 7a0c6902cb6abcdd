package io.heddle;

import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.BlockingCalls;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedClock;
import io.heddle.internal.wait.Sleep;
import java.time.Duration;
import java.time.Instant;
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
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED}, or with Heddle's agent. Without either, the
 * first use throws an {@link IllegalStateException} that names the flag.
 *
 * <p>Interruption: {@link #sleep} throws {@link InterruptedException}, and {@link #main} passes an
 * interrupt on to the main goroutine. No other method waits, except {@link #blocking} for its call
 * and {@link #label} for its task.
 *
 * <p>Memory consistency: actions before {@link #go} <i>happen-before</i> the actions of the
 * goroutine that it starts. The actions of a goroutine <i>happen-before</i> actions after a
 * {@link Goroutine#join()} that waited for its end.
 */
public final class Go {
  private Go() {}

  /**
   * Starts a goroutine that runs {@code task}: Go's {@code go} statement. The caller neither waits
   * nor yields. The goroutine inherits the caller's {@link Context#current}.
   *
   * <p>An exception that leaves {@code task} ends only this goroutine. It goes to the scheduler's
   * {@linkplain Scheduler.Builder#uncaught handler}, which by default writes it to standard error.
   *
   * @param task what the goroutine does
   * @return the new goroutine
   */
  public static Goroutine go(Task task) {
    G g = caller();
    return g == null
        ? schedulerOfOthers().go(task)
        : Scheduler.of(g).startFrom(g, null, task, task);
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
        ? schedulerOfOthers().go(name, task)
        : Scheduler.of(g).startFrom(g, Objects.requireNonNull(name, "name"), task, task);
  }

  /**
   * Starts a goroutine for background work, such as a batch job, on {@link Scheduler#background}:
   * it gets the CPU time that others leave, and always gets a little. Channels and contexts work
   * between background goroutines and others. Goroutines that a background goroutine starts with
   * {@link #go} are in the background, too.
   *
   * {@snippet :
   * Chan<Report> done = Chan.make(1);
   * Go.background(() -> done.send(yearlyReport()));
   * }
   *
   * @param task what the goroutine does
   * @return the new goroutine
   */
  public static Goroutine background(Task task) {
    return Scheduler.background().go(task);
  }

  /**
   * Starts a goroutine with a name for background work. Otherwise like {@link #background(Task)}.
   *
   * @param name the name, also of its {@linkplain Goroutine#thread thread}
   * @param task what the goroutine does
   * @return the new goroutine
   */
  public static Goroutine background(String name, Task task) {
    return Scheduler.background().go(name, task);
  }

  /**
   * Runs {@code task} in the calling goroutine, with a label: Go's {@code pprof.Do}. A label can
   * say, for example, whose work a goroutine does. Dumps, profiles and {@link Scheduler#cpuUsage}
   * show labels. Goroutines that {@code task} starts inherit the label. So do virtual threads that
   * {@code task} starts with plain JDK calls, if Heddle runs them as goroutines. When {@code task}
   * ends, the caller has its old labels again, and these goroutines keep theirs. A label hides an
   * outer label with the same key.
   *
   * {@snippet :
   * Go.label("tenant", tenant.name(), () -> handle(request));
   * }
   *
   * <p>If the caller is not a goroutine, the label has one effect only: goroutines that
   * {@code task} starts inherit it.
   *
   * @param key what the label says, such as {@code tenant}: not blank, without {@code =}
   * @param value the value. A scheduler keeps separate CPU totals for the first thousand
   *     combinations of creation site and labels. All others share one total
   * @param task runs in the caller
   * @throws Exception what {@code task} threw
   * @throws IllegalArgumentException if the key or the value is not allowed: neither may have more
   *     than 200 characters, or control characters
   */
  public static void label(String key, String value, Task task) throws Exception {
    Objects.requireNonNull(task, "task");
    Labels.run(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"), task);
  }

  /**
   * Starts a goroutine for {@code task}, which wraps the task {@code users} that the user passed.
   * The class of {@code users} determines the creation site, the place in the program that dumps
   * show as the start of the goroutine.
   */
  static Goroutine start(Task task, Task users) {
    G g = caller();
    Scheduler scheduler = g == null ? schedulerOfOthers() : Scheduler.of(g);
    return scheduler.startFrom(g, null, task, users);
  }

  /**
   * Runs {@code main} as the main goroutine of the shared scheduler and waits until it returns, as
   * {@link Scheduler#run} does. Unlike in Go, other goroutines continue to run after that.
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
   * Lets other goroutines run: puts the calling goroutine at the tail of the global run queue. In
   * any other thread this is {@link Thread#yield}.
   */
  public static void gosched() {
    Mounter.current().yieldNow();
  }

  /**
   * Sleeps for {@code d}; does not sleep if {@code d} is zero or negative. In a thread that is not
   * a goroutine this is {@link Thread#sleep(Duration)}.
   *
   * @param d the time to sleep
   * @throws InterruptedException if the caller is interrupted before or while it sleeps; this
   *     clears the interrupt flag
   */
  public static void sleep(Duration d) throws InterruptedException {
    G g = caller();
    if (g == null) {
      if (MasterSwitch.isOff()) {
        WaitLimit.checkInterrupt(); // as Sleep.sleep does, even if d is not positive
      }
      Thread.sleep(d);
    } else {
      Sleep.sleep(g.sched(), saturatedNanos(d));
    }
  }

  /**
   * Returns the time in nanoseconds, for measuring how much time passes. In a {@link Bubble} this
   * is the bubble's time; elsewhere it is {@link System#nanoTime}.
   *
   * @return nanoseconds since an arbitrary moment
   */
  public static long nanoTime() {
    return VirtualThreads.isOpen() ? SchedClock.nanoTime() : System.nanoTime();
  }

  /**
   * Returns the date and time. In a {@link Bubble} this is the bubble's time; elsewhere it is
   * {@link Instant#now}. A {@link Context#deadline} refers to the same clock.
   *
   * @return the time
   */
  public static Instant now() {
    return VirtualThreads.isOpen() ? SchedClock.instant() : Instant.now();
  }

  /** Returns {@code d} in nanoseconds; the nearest long if that is out of range. */
  private static long saturatedNanos(Duration d) {
    return TimeUnit.NANOSECONDS.convert(d);
  }

  /**
   * Makes a call that blocks the OS thread, for example a call of native code. The goroutine gives
   * up its P (its right to run) before the call, so other goroutines run meanwhile. Without this
   * method the goroutine loses its P only after some milliseconds, when the scheduler's monitoring
   * thread notices that it blocks. In a thread that is not a goroutine this is just
   * {@code call.call()}.
   *
   * <p>An interrupt has the effect that it has in {@code call}. The call may use goroutines and
   * channels; calls of this method may be nested.
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
   * @throws IllegalStateException if the caller is a virtual thread and not a goroutine, or if
   *     Heddle is off ({@code HEDDLE=off})
   */
  public static void lockThread() {
    if (MasterSwitch.isOff() && Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(MasterSwitch.missing("lockThread is not possible"));
    }
    if (caller() != null) {
      Sched.lockThread();
    } else if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "lockThread: " + Thread.currentThread() + " is not a goroutine, so it cannot be tied");
    }
  }

  /** Undoes one call of {@link #lockThread}. Does nothing if the caller is not tied. */
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
   * Sets the number of goroutines that can run at the same time: Go's {@code GOMAXPROCS}. If the
   * new number is smaller, goroutines that are running continue until they yield or wait.
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
    return MasterSwitch.isOff() ? PlainGoroutine.current() : (LiveGoroutine) caller();
  }

  /**
   * Returns the calling goroutine; null if the caller is any other thread. While {@code java.lang}
   * is not open to Heddle, there is no goroutine, and the scheduler's classes cannot be loaded.
   * Therefore this method first checks that {@code java.lang} is open.
   */
  private static @Nullable G caller() {
    return VirtualThreads.isOpen() ? Sched.current() : null;
  }

  /** Returns the scheduler of the calling goroutine; for any other thread the shared scheduler. */
  static Scheduler scheduler() {
    G g = caller();
    return g == null ? schedulerOfOthers() : Scheduler.of(g);
  }

  /**
   * Returns the scheduler for a caller for which {@link #caller} returns null. This is the shared
   * scheduler, with one exception: if Heddle is off, {@link #caller} returns null for goroutines,
   * too, and this is the scheduler that the goroutine belongs to.
   */
  private static Scheduler schedulerOfOthers() {
    Scheduler own = MasterSwitch.isOff() ? Scheduler.current() : null;
    return own == null ? Scheduler.shared() : own;
  }
}
