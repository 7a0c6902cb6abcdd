package io.heddle.internal.dashboard;

import io.heddle.internal.inspect.ForeignThreads;

/** Keeps the process, and with it the page, when the program has ended by itself: until somebody ends it. */
final class KeepAlive {
  /** How often it looks whether the program has ended. */
  private static final long PAUSE = 200;

  /** The JDK's name for the thread that waits for all others but daemons when the main method has returned. */
  private static final String LAST = "DestroyJavaVM";

  private static volatile boolean isOver;

  private KeepAlive() {}

  /** Whether the program has ended, and only the page is left. */
  static boolean isOver() {
    return isOver;
  }

  /** {@code say} is told when the program has ended. A program that calls {@code System.exit} ends all the same. */
  static void begin(Runnable say) {
    Thread.ofPlatform()
        .group(new ThreadGroup(ForeignThreads.ONLOOKERS))
        .daemon(false)
        .inheritInheritableThreadLocals(false)
        .name("heddle-dashboard-linger")
        .start(() -> stay(say));
  }

  private static void stay(Runnable say) {
    try {
      while (!isAlone()) {
        Thread.sleep(PAUSE);
      }
      isOver = true;
      say.run();
      Thread.currentThread().join(); // for ever
    } catch (InterruptedException e) {
      // somebody wants it to end
    }
  }

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
