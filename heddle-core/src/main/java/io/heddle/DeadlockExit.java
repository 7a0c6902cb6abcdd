package io.heddle;

/**
 * Ends the JVM as Go ends a program in a deadlock: prints the deadlock's message and all
 * goroutines, and exits with code 2. This handler acts only if the {@link DeadlockException} is not
 * caught. The handler is installed only if the setting {@code heddle.deadlock} is {@code exit}, as
 * {@code heddle run} sets it.
 */
final class DeadlockExit implements Thread.UncaughtExceptionHandler {
  private static final int EXIT_CODE = 2;

  private final Thread.UncaughtExceptionHandler others;

  private DeadlockExit(Thread.UncaughtExceptionHandler others) {
    this.others = others;
  }

  /**
   * Installs this handler in the calling thread, which is about to throw a DeadlockException. Does
   * nothing in a virtual thread, or if the user has installed a handler.
   */
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
