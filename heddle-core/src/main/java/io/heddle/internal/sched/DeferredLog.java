package io.heddle.internal.sched;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages that must not be logged where they arise.
 *
 * <p>A logger is user code: it may block, or wait for a goroutine. Code in the middle of scheduling
 * therefore only adds a message here. An M logs it later, in the state in which it runs goroutines.
 */
final class DeferredLog {
  private record Message(System.Logger.Level level, String what, @Nullable Throwable cause) {}

  private final String scheduler;
  private final Queue<Message> pending = new ConcurrentLinkedQueue<>();

  DeferredLog(String scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Adds an error. Callable from anywhere; never throws. The message is dropped if there is no
   * memory for it, or if a class cannot be loaded (outside of a jar that takes a file descriptor).
   */
  void add(String what, @Nullable Throwable cause) {
    add(System.Logger.Level.ERROR, what, cause);
  }

  /**
   * Adds an error with {@code about} before its text, or without that if it cannot be made a text.
   */
  void add(Object about, String what, @Nullable Throwable cause) {
    try {
      add(about + what, cause);
    } catch (Throwable t) {
      add(what, cause);
    }
  }

  /** Adds a message at debug level; otherwise like {@link #add(String, Throwable)}. */
  void addDebug(String what) {
    add(System.Logger.Level.DEBUG, what, null);
  }

  private void add(System.Logger.Level level, String what, @Nullable Throwable cause) {
    try {
      pending.add(new Message(level, what, cause));
    } catch (Throwable t) {
      // There are no means left to report it.
    }
  }

  /** Logs the pending messages. Called where goroutine code may run; never throws. */
  void logPending() {
    for (Message next = pending.poll(); next != null; next = pending.poll()) {
      logNow(next.level(), next.what(), next.cause());
    }
  }

  /** Logs an error at once. Called where goroutine code may run; never throws. */
  void logNow(String what, @Nullable Throwable cause) {
    logNow(System.Logger.Level.ERROR, what, cause);
  }

  private void logNow(System.Logger.Level level, String what, @Nullable Throwable cause) {
    try {
      System.getLogger("io.heddle").log(level, "scheduler " + scheduler + ": " + what, cause);
    } catch (Throwable t) {
      // The logger failed, and there is no other place to report that.
    }
  }
}
