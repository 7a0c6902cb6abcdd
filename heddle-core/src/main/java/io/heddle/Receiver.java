package io.heddle;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The end of a channel that values come out at. {@code for (T v : receiver)} ends when it is closed and drained. */
public sealed interface Receiver<T> extends Iterable<T> permits Chan {
  /**
   * Waits for a value; null when the channel is closed and drained.
   *
   * @throws InterruptedException if the caller is interrupted while it waits; then no value is lost
   */
  @Nullable T receive() throws InterruptedException;

  /** A value if there is one now; null if there is none, or if the channel is closed and drained. */
  @Nullable T tryReceive();

  /**
   * Receives one after the other until the channel is closed and drained. An interrupt there throws {@link
   * CancelledException}, with the thread's interrupt flag set.
   */
  @Override
  Iterator<T> iterator();
}
