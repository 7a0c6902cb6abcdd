package io.heddle;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the schedulers log while it is open, which then goes nowhere else. */
public final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.heddle");
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  private final Level before = logger.getLevel();

  public LogCapture() {
    this(Level.INFO);
  }

  /** Of that level and above. */
  public LogCapture(Level level) {
    logger.setLevel(level);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  /** Each with what was thrown behind it. */
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
