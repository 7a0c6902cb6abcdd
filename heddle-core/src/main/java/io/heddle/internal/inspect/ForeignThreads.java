package io.heddle.internal.inspect;

import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sysmon;
import io.heddle.internal.trace.TraceWriter;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells whether there are foreign threads: threads that are no goroutines and could wake a
 * goroutine, because each may refer to the object that a goroutine waits for.
 */
public final class ForeignThreads {
  /** The groups of the JVM's own threads, which do not run a program's code by themselves. */
  private static final String SYSTEM = "system";

  private static final String INNOCUOUS = "InnocuousThreadGroup";

  /**
   * The group of the threads of the JDK's own scheduler. They exist in most programs, because the
   * JDK's socket pollers run on them.
   */
  private static final String CARRIERS = "CarrierThreads";

  /** The name of JFR's thread; its group is that of the thread that started JFR. */
  private static final String RECORDER = "JFR Periodic Tasks";

  /** The group of Heddle's threads that only observe: they do not run a program's code. */
  private static final String ONLOOKERS = "heddle-onlookers";

  /**
   * Whether a virtual thread that is no goroutine has used the library. Such threads cannot be
   * listed, so this flag stays true forever.
   */
  private static volatile boolean usedByVirtual;

  private ForeignThreads() {}

  /**
   * Returns a new group for threads of Heddle that only observe: they run none of a program's code.
   */
  public static ThreadGroup newOnlookers() {
    return new ThreadGroup(SystemThreadGroup.get(), ONLOOKERS);
  }

  /**
   * Records that a foreign virtual thread uses the library, if the caller is one. Called by
   * operations that may wake a goroutine.
   */
  public static void note() {
    if (Thread.currentThread().isVirtual() && !usedByVirtual && M.ofCaller() == null) {
      usedByVirtual = true;
    }
  }

  /**
   * Whether there are no foreign threads except {@code these}: all other platform threads are
   * Heddle's own or the JVM's, and no foreign virtual thread has used the library.
   */
  static boolean areNoneBut(Collection<Thread> these) {
    return !usedByVirtual
        && live().allMatch(thread -> these.contains(thread) || isOurs(thread) || isTheJvms(thread));
  }

  /** Returns all platform threads of the JVM. */
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
