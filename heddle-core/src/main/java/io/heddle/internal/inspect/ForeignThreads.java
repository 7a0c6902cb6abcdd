package io.heddle.internal.inspect;

import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sysmon;
import io.heddle.internal.trace.TraceWriter;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/** Threads that are no goroutines: each may have a reference to what a goroutine waits for, and wake it. */
public final class ForeignThreads {
  /** Threads of the JVM itself, which run no program's code of their own accord. */
  private static final String SYSTEM = "system";

  private static final String INNOCUOUS = "InnocuousThreadGroup";

  /** Of the JDK's scheduler, which runs its pollers at least. */
  private static final String CARRIERS = "CarrierThreads";

  /** Of the flight recorder, in the group of whoever started that. */
  private static final String RECORDER = "JFR Periodic Tasks";

  /** Threads of ours that only look: they run none of a program's code. */
  private static final String ONLOOKERS = "heddle-onlookers";

  /** A virtual thread that is no goroutine has used the library. Those cannot be listed, so it may be there for ever. */
  private static volatile boolean usedByVirtual;

  private ForeignThreads() {}

  /** Returns a new group for threads of ours that only look: they run none of a program's code. */
  public static ThreadGroup newOnlookers() {
    return new ThreadGroup(SystemThreadGroup.get(), ONLOOKERS);
  }

  /** For what any thread may call, and which may wake a goroutine. */
  public static void note() {
    if (Thread.currentThread().isVirtual() && !usedByVirtual && M.ofCaller() == null) {
      usedByVirtual = true;
    }
  }

  /**
   * Whether there is no platform thread but {@code these}, our own, and the JVM's, and no virtual one that is known to have
   * used the library.
   */
  static boolean areNoneBut(Collection<Thread> these) {
    return !usedByVirtual
        && live().allMatch(thread -> these.contains(thread) || isOurs(thread) || isTheJvms(thread));
  }

  private static Stream<Thread> live() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
      group = parent;
    }
    Thread[] all = new Thread[2 * group.activeCount() + 16];
    int n = group.enumerate(all);
    return Stream.of(all).limit(n);
  }

  private static boolean isOurs(Thread thread) {
    return thread instanceof M
        || thread == Thread.currentThread()
        || Sysmon.isMonitorThread(thread)
        || TraceWriter.isIt(thread);
  }

  private static boolean isTheJvms(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group == null
        || Set.of(SYSTEM, INNOCUOUS, CARRIERS, ONLOOKERS).contains(group.getName())
        || thread.getName().equals(RECORDER);
  }
}
