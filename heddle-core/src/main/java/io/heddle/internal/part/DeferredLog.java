package io.heddle.internal.part;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages that must not be logged where they arise, until an M can log them.
 *
 * <p>A logger is user code: it may block, or wait for a goroutine. Code of the scheduler therefore
 * only adds a message here. An M logs it later, in a state in which sysmon can retake its P if the
 * logger blocks.
 */
public final class DeferredLog {
  private record Message(System.Logger.Level level, String what, @Nullable Throwable cause) {}

  private final String scheduler;
  private final Queue<Message> pending = new ConcurrentLinkedQueue<>();

  public DeferredLog(String scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Adds an error. Callable from anywhere; never throws. The message is dropped if there is no
   * memory for it. It is also dropped if a class that this method needs cannot be loaded, for
   * example because the process has no file descriptor left.
   */
  public void add(String what, @Nullable Throwable cause) {
    add(System.Logger.Level.ERROR, what, cause);
  }

  /**
   * Adds an error whose text begins with {@code about}. If {@code about} cannot be converted to a
   * string, adds the error without that beginning.
   */
  public void add(Object about, String what, @Nullable Throwable cause) {
    try {
      add(about + what, cause);
    } catch (Throwable t) {
      add(what, cause);
    }
  }

  /** Adds a warning. Callable from anywhere; never throws. */
  public void addWarning(String what) {
    add(System.Logger.Level.WARNING, what, null);
  }

  /** Adds a message at debug level. Callable from anywhere; never throws. */
  public void addDebug(String what) {
    add(System.Logger.Level.DEBUG, what, null);
  }

  private void add(System.Logger.Level level, String what, @Nullable Throwable cause) {
    try {
      pending.add(new Message(level, what, cause));
    } catch (Throwable t) {
      // Adding the message failed, and there is no other way to report it: it is dropped.
    }
  }

  /**
   * Logs the pending messages; never throws. If the caller owns a P, that P must be in state USER,
   * because a logger may block.
   */
  public void logPending() {
    for (Message next = pending.poll(); next != null; next = pending.poll()) {
      logNow(next.level(), next.what(), next.cause());
    }
  }

  /**
   * Logs an error at once; never throws. If the caller owns a P, that P must be in state USER,
   * because a logger may block.
   */
  public void logNow(String what, @Nullable Throwable cause) {
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
