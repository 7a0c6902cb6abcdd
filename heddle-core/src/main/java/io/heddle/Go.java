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
 * The words of a Go program: {@code import static io.heddle.Go.*;}.
 *
 * <p>Each is about the scheduler of the calling goroutine; called from any other thread, about {@link
 * Scheduler#shared()}.
 */
public final class Go {
  private Go() {}

  /** Starts a goroutine. Never blocks, never switches away from the caller. */
  public static Goroutine go(Task task) {
    G g = caller();
    return g == null ? Scheduler.shared().go(task) : Scheduler.of(g).startFrom(g, null, task, task);
  }

  /** Starts a goroutine with a name, for dumps. */
  public static Goroutine go(String name, Task task) {
    G g = caller();
    return g == null
        ? Scheduler.shared().go(name, task)
        : Scheduler.of(g).startFrom(g, Objects.requireNonNull(name, "name"), task, task);
  }

  /** The same for a task that was made for one of the user's, which tells where it was started. */
  static Goroutine start(Task task, Task users) {
    G g = caller();
    Scheduler scheduler = g == null ? Scheduler.shared() : Scheduler.of(g);
    return scheduler.startFrom(g, null, task, users);
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
    if (VirtualThreads.isOpen()) {
      Mounter.yieldNow();
    } else {
      Thread.yield();
    }
  }

  /** Sleeps. From any other thread this is {@link Thread#sleep(Duration)}. */
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
   * Makes a call that blocks the OS thread, native code for instance. Other goroutines run meanwhile; they do also when
   * such a call is made without this, only some milliseconds later. From any other thread this is the call itself.
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
   * Ties the calling goroutine to its OS thread, for native code that wants the same thread each time: it runs on no
   * other, and no other goroutine runs there, until it has called {@link #unlockThread} as often, or ends. A platform
   * thread is its own.
   */
  public static void lockThread() {
    if (caller() != null) {
      Sched.lockThread();
    } else if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "lockThread: " + Thread.currentThread() + " is no goroutine, and the JDK cannot tie it");
    }
  }

  /** Takes one {@link #lockThread} back; does nothing if there is none. */
  public static void unlockThread() {
    if (caller() != null) {
      Sched.unlockThread();
    }
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
    return (LiveGoroutine) caller();
  }

  /** The goroutine that calls. Without the doors open there can be none, and the scheduler cannot even be loaded. */
  private static @Nullable G caller() {
    return VirtualThreads.isOpen() ? Sched.current() : null;
  }

  /** Of the caller, or the shared one. */
  static Scheduler scheduler() {
    G g = caller();
    return g == null ? Scheduler.shared() : Scheduler.of(g);
  }
}
