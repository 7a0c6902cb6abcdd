package io.heddle;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures what schedulers log while it is open. The records go nowhere else. */
public final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.heddle");
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  private final Level before = logger.getLevel();

  public LogCapture() {
    this(Level.INFO);
  }

  /** Captures records of that level and above. */
  public LogCapture(Level level) {
    logger.setLevel(level);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** Returns the messages, each followed by its exception. */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  @Override
  public void publish(LogRecord entry) {
    messages.add(entry.getMessage() + (entry.getThrown() == null ? "" : ": " + entry.getThrown()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(before);
    logger.setUseParentHandlers(true);
  }
}
