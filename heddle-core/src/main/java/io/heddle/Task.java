package io.heddle;

/** What a goroutine does: like {@link Runnable}, but free to throw. */
@FunctionalInterface
public interface Task {
  void run() throws Exception;
}
