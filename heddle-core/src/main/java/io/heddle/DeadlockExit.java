package io.heddle;

/**
 * Ends the JVM as Go ends a program in a deadlock: what waits for what, all goroutines, exit code 2. Only if nobody
 * catches the {@link DeadlockException}, and only where {@code heddle.deadlock} is {@code exit}, as {@code heddle run}
 * sets it.
 */
final class DeadlockExit implements Thread.UncaughtExceptionHandler {
  private static final int EXIT_CODE = 2;

  private final Thread.UncaughtExceptionHandler others;

  private DeadlockExit(Thread.UncaughtExceptionHandler others) {
    this.others = others;
  }

  /** For a thread that is about to throw a deadlock; a handler of the user's comes first. */
  static void arm() {
    Thread thread = Thread.currentThread();
    if (!thread.isVirtual()
        && thread.getUncaughtExceptionHandler() instanceof ThreadGroup group
        && Thread.getDefaultUncaughtExceptionHandler() == null) {
      thread.setUncaughtExceptionHandler(new DeadlockExit(group));
    }
  }

  @Override
  public void uncaughtException(Thread thread, Throwable thrown) {
    if (thrown instanceof DeadlockException deadlock) {
      System.err.print("fatal error: " + deadlock.getMessage() + "\n\n" + deadlock.dump());
      System.err.flush();
      System.exit(EXIT_CODE);
    }
    others.uncaughtException(thread, thrown);
  }
}
