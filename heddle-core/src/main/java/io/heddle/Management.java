package io.heddle;

import io.heddle.internal.inspect.DaemonThreads;
import io.heddle.internal.jfr.JfrEvents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Registers the open schedulers with JMX, and lets the JDK's flight recorder turn Heddle's events
 * on. Each of the two is left out if the JVM lacks its module.
 */
final class Management {
  /*
   * The delay in nanoseconds before a separate thread loads JMX. Loading JMX takes longer than many
   * programs run, and no tool looks at a program in its first second. If all schedulers are closed
   * by then, JMX is not loaded.
   */
  private static final long DELAY = 1_000_000_000;

  private static final boolean HAS_JMX =
      ModuleLayer.boot().findModule("java.management").isPresent();

  /**
   * The open schedulers, each with its JMX name; the name is null while the scheduler is not
   * registered. All accesses are synchronized on the map.
   */
  private static final Map<Scheduler, @Nullable Object> OPEN = new LinkedHashMap<>();

  /**
   * Whether a thread runs {@link #registerLater} and has not yet registered the schedulers. Guarded
   * by OPEN.
   */
  private static boolean waiting;

  private Management() {}

  static void opened(Scheduler scheduler) {
    JfrEvents.look();
    synchronized (OPEN) {
      OPEN.put(scheduler, null);
      if (!waiting) {
        waiting = tryStart();
      }
    }
  }

  /**
   * Starts the thread that loads JMX and registers the schedulers. Returns false if the JVM cannot
   * start a thread. Does not throw then, because a scheduler works without JMX; the next scheduler
   * tries again.
   */
  private static boolean tryStart() {
    try {
      DaemonThreads.start("heddle-management", Management::registerLater);
      return true;
    } catch (OutOfMemoryError e) { // no thread can be started
      return false;
    }
  }

  static void closed(Scheduler scheduler) {
    synchronized (OPEN) {
      Object name = OPEN.remove(scheduler);
      if (name != null) {
        JmxRegistry.unregister(name);
      }
    }
  }

  /**
   * The task of thread {@code heddle-management}: waits for DELAY. If a scheduler is still open
   * then, watches for recordings, loads JMX and registers the open schedulers.
   */
  private static void registerLater() {
    long end = System.nanoTime() + DELAY;
    for (long left; (left = end - System.nanoTime()) > 0; ) {
      LockSupport.parkNanos(left);
    }
    try {
      if (!isAllClosed()) {
        JfrEvents.watch();
        load();
      }
    } finally {
      registerAll();
    }
  }

  private static boolean isAllClosed() {
    synchronized (OPEN) {
      return OPEN.isEmpty();
    }
  }

  /**
   * Loads JMX where the JVM has it. The caller must not hold the lock of OPEN, because loading
   * takes long and each thread that makes a scheduler needs that lock.
   */
  private static void load() {
    if (HAS_JMX) {
      JmxRegistry.load();
    }
  }

  private static void registerAll() {
    synchronized (OPEN) {
      waiting = false;
      if (HAS_JMX) {
        OPEN.replaceAll((scheduler, name) -> name == null ? JmxRegistry.register(scheduler) : name);
      }
    }
  }
}
