package io.heddle;

import io.heddle.internal.inspect.DaemonThreads;
import io.heddle.internal.jfr.JfrEvents;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Registers schedulers with JMX and the JDK's flight recorder, where the JVM has them. */
final class Management {
  /*
   * The delay in nanoseconds before a separate thread loads JMX. Loading JMX takes longer than many
   * programs run, and no tool looks at a program in its first second. A scheduler that is closed
   * before the delay is over costs nothing.
   */
  private static final long DELAY = 1_000_000_000;

  private static final boolean HAS_JMX =
      ModuleLayer.boot().findModule("java.management").isPresent();

  /**
   * The open schedulers, with their JMX names; null before they are registered. Guarded by itself.
   */
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

  /**
   * Starts the thread that loads JMX; false if there is none to be had. A scheduler works without
   * it.
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
   * Loads JMX without the lock, because a thread that makes a scheduler may want the lock
   * meanwhile.
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
