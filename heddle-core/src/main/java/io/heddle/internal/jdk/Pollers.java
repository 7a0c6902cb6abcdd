package io.heddle.internal.jdk;

import io.heddle.internal.base.SystemThreadGroup;

/**
 * Starts the JDK's socket pollers from a platform thread.
 *
 * <p>The pollers are virtual threads, which the JDK starts at the first socket operation of any
 * virtual thread. They inherit the scheduler of that thread. If a goroutine made that first
 * operation, the pollers would run on its scheduler. When that scheduler ended, the sockets of
 * every virtual thread in the JVM would hang.
 *
 * <p>On a known JDK this cannot happen, because {@code Sched.adopt} knows these threads by their
 * names and runs them on the JDK's scheduler. On such a JDK the pollers are therefore not started
 * before the first socket needs them. If they were started early, they would delay the end of every
 * program by about 300 ms: one of them is in native code, and the JVM waits for that thread at its
 * end.
 */
final class Pollers {
  /** The class in which a virtual thread waits for a file descriptor. */
  static final String POLLER = "sun.nio.ch.Poller";

  private Pollers() {}

  /** Whether a goroutine may be the first thread that needs the pollers. */
  static boolean mayBeStartedByGoroutine() {
    return JdkRelease.current().isKnown();
  }

  /** Starts the pollers, if they have not been started, and returns when they exist. */
  static void start() {
    StartOnce.touch();
  }

  private static void startFromPlatformThread() {
    Thread starter =
        Thread.ofPlatform()
            .group(SystemThreadGroup.get())
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("heddle-pollers")
            .start(Pollers::initialize);
    boolean interrupted = false;
    while (starter.isAlive()) {
      try {
        starter.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void initialize() {
    try {
      Class.forName(POLLER, true, null);
    } catch (ClassNotFoundException e) {
      // A JDK without this class handles sockets in another way, and has no pollers that could
      // inherit a scheduler.
    }
  }

  /**
   * The initializer of this class starts the pollers, so that they are started once. The thread
   * heddle-pollers must not use this class: it would wait for the initializer, which waits for that
   * thread.
   */
  private static final class StartOnce {
    static {
      if (Thread.currentThread().isVirtual()) {
        startFromPlatformThread();
      } else {
        initialize();
      }
    }

    static void touch() {}
  }
}
