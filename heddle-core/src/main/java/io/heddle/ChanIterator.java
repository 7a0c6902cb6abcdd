package io.heddle;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Receives values until the channel is closed and drained, as Go's {@code range} does. Several
 * threads must not use one iterator at the same time.
 */
final class ChanIterator<T> implements Iterator<T> {
  private final Receiver<T> from;
  private @Nullable T next;

  ChanIterator(Receiver<T> from) {
    this.from = from;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      try {
        next = from.receive();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancelledException(e);
      }
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the channel is closed and drained");
    }
    T v = Objects.requireNonNull(next);
    next = null;
    return v;
  }
}
