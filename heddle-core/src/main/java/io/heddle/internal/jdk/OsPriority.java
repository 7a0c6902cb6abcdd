package io.heddle.internal.jdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the priority of threads in Linux, for background work. A thread needs no privileges to
 * lower its priority, but needs them to raise it again.
 */
public final class OsPriority {
  /*
   * In Linux a nice value belongs to a thread, although POSIX says that it belongs to the process.
   * setpriority(PRIO_PROCESS, 0, n) changes the calling thread. A thread inherits the value of the
   * thread that starts it.
   */

  /** The nice value of background threads: the lowest weight of a normal thread in Linux. */
  public static final int BACKGROUND_NICE = 19;

  private static final int PRIO_PROCESS = 0;

  /** How long {@link #nap} sleeps, in microseconds. Linux adds some 50 µs to such a sleep. */
  private static final int NAP_MICROS = 50;

  /** Null before {@link #prepare}, and if this system is not Linux or lacks one of the calls. */
  private static volatile @Nullable PriorityCalls calls;

  private OsPriority() {}

  /** Handles of the system calls. No such object is made if the system lacks one of them. */
  private record PriorityCalls(MethodHandle setPriority, MethodHandle sleep) {}

  /**
   * Links the system calls, which takes some milliseconds. Returns whether threads can have a lower
   * priority on this system.
   */
  public static boolean prepare() {
    if (calls == null && System.getProperty("os.name").equals("Linux")) {
      MethodHandle set =
          NativeCalls.find(
              "setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
      MethodHandle sleep = NativeCalls.find("usleep", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
      if (set != null && sleep != null) {
        calls = new PriorityCalls(set, sleep);
        nap(); // so that a waiter at the end of its stack need not link anything
      }
    }
    return calls != null;
  }

  /** Lowers the priority of the calling platform thread; returns whether that was possible. */
  public static boolean lower() {
    PriorityCalls known = calls;
    if (known == null) {
      return false;
    }
    try {
      return (int) known.setPriority.invokeExact(PRIO_PROCESS, 0, BACKGROUND_NICE) == 0;
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /**
   * Blocks the calling thread in the system for about 0.1 ms, so that its core is free for a thread
   * of lower priority. A virtual thread stays mounted and keeps its park permit. Without a
   * successful {@link #prepare} this method only yields in the system.
   */
  public static void nap() {
    PriorityCalls known = calls;
    if (known == null) {
      VirtualThreads.osYield();
      return;
    }
    try {
      int _ = (int) known.sleep.invokeExact(NAP_MICROS);
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }
}
