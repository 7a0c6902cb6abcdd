package io.heddle.internal.dashboard;

import io.heddle.internal.inspect.ForeignThreads;

/**
 * Keeps the process, and so the page, alive after the program has ended, until the process is
 * killed.
 */
final class KeepAlive {
  /** The interval at which the thread of this class checks whether the program has ended. */
  private static final long CHECK_MILLIS = 200;

  /**
   * The JDK's name for the thread that waits for all non-daemon threads after the main method has
   * returned.
   */
  private static final String LAST = "DestroyJavaVM";

  private static volatile boolean isOver;

  private KeepAlive() {}

  /** Whether the program has ended, and only the page is left. */
  static boolean isOver() {
    return isOver;
  }

  /**
   * Starts the thread that keeps the process alive. This thread has no effect on {@code
   * System.exit}.
   *
   * @param say called when the program has ended
   */
  static void begin(Runnable say) {
    Thread.ofPlatform()
        .group(ForeignThreads.newOnlookers())
        .daemon(false)
        .inheritInheritableThreadLocals(false)
        .name("heddle-dashboard-linger")
        .start(() -> stay(say));
  }

  private static void stay(Runnable say) {
    try {
      while (!isAlone()) {
        Thread.sleep(CHECK_MILLIS);
      }
      isOver = true;
      say.run();
      Thread.currentThread().join(); // forever
    } catch (InterruptedException e) {
      // interrupted: let the process end
    }
  }

  /** Whether the main method has returned, and no other non-daemon thread is left. */
  private static boolean isAlone() {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] threads = new Thread[all.activeCount() + 16];
    int n = all.enumerate(threads);
    boolean isOver = false;
    for (int i = 0; i < n; i++) {
      boolean isLast = threads[i].getName().equals(LAST);
      isOver |= isLast;
      if (!isLast && !threads[i].isDaemon() && threads[i] != Thread.currentThread()) {
        return false;
      }
    }
    return isOver;
  }
}
