package io.heddle;

/** What a goroutine does: like {@link Runnable}, but free to throw. */
@FunctionalInterface
public interface Task {
  /** What leaves it goes to who waits for it, else to the scheduler's uncaught handler. */
  void run() throws Exception;
}
