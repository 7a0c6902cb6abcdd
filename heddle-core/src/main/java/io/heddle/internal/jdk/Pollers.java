package io.heddle.internal.jdk;

/**
 * Starts the JDK's socket pollers from a platform thread.
 *
 * <p>They are virtual threads made without a scheduler, on the first socket operation of any virtual thread. If that
 * were a goroutine, they would inherit its scheduler, and with the end of that scheduler the sockets of every virtual
 * thread in the JVM would hang.
 */
final class Pollers {
  /** Where a virtual thread waits for a descriptor. */
  static final String POLLER = "sun.nio.ch.Poller";

  private Pollers() {}

  /** Idempotent; returns when they are there. */
  static void start() {
    StartOnce.touch();
  }

  private static void startFromPlatformThread() {
    Thread starter = Thread.ofPlatform().daemon().name("heddle-pollers").start(Pollers::initialize);
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
      // A JDK without it has other means for sockets, and no pollers to inherit anything.
    }
  }

  /** Its initialiser does the work; the starter thread must not need it, or it would wait for itself. */
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
