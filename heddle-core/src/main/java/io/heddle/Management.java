package io.heddle;

import io.heddle.internal.inspect.DaemonThreads;
import io.heddle.internal.jfr.JfrEvents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Shows the schedulers to JMX and to the flight recorder, where the JVM has them. */
final class Management {
  /*
   * JMX takes longer to load than many programs run, and nobody can look at a program before it has run for a while. So
   * a thread of its own does it a second later; a scheduler that is closed by then costs nothing.
   */
  private static final long DELAY = 1_000_000_000;

  private static final boolean HAS_JMX =
      ModuleLayer.boot().findModule("java.management").isPresent();

  /** Those that are open, and as what they are registered, null before. Guards itself. */
  private static final Map<Scheduler, @Nullable Object> OPEN = new LinkedHashMap<>();

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

  /** A scheduler works without, too. */
  private static boolean tryStart() {
    try {
      DaemonThreads.start("heddle-management", Management::registerLater);
      return true;
    } catch (OutOfMemoryError e) { // there is no thread to be had
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

  /** Not while somebody may wait who wants to make a scheduler. */
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
