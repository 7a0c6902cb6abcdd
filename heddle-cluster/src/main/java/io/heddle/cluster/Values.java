package io.heddle.cluster;

import io.heddle.CancelledException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The values of a channel for a {@code for} loop. Each is acknowledged when the loop asks for the
 * next one. The loop ends when the channel is closed and drained.
 *
 * {@snippet :
 * try (Values<Order> values = orders.values()) {
 *   for (Order order : values) {
 *     book(order);              // if this throws, close gives the order back
 *   }
 * }
 * }
 *
 * <p>A loop that is left early leaves its last value unacknowledged: {@link #close} gives it back,
 * and so does the end of this node.
 *
 * <p>For one thread. An interrupt ends the loop with a {@link CancelledException}.
 *
 * @param <T> the type of the values
 */
public final class Values<T> implements Iterable<T>, AutoCloseable {
  private final RemoteChan<T> chan;
  private @Nullable Delivery<T> current;

  Values(RemoteChan<T> chan) {
    this.chan = chan;
  }

  /**
   * Returns an iterator over what comes from now on. What an earlier iterator has not acknowledged
   * is given back.
   *
   * @return the iterator
   */
  @Override
  public Iterator<T> iterator() {
    close();
    return new Loop();
  }

  /** Gives back the last value, if it was not acknowledged. */
  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  private final class Loop implements Iterator<T> {
    private boolean isFetched;

    @Override
    public boolean hasNext() {
      if (!isFetched) {
        Delivery<T> last = current;
        current = null;
        if (last != null) {
          last.ack();
        }
        current = fetch();
        isFetched = true;
      }
      return current != null;
    }

    private @Nullable Delivery<T> fetch() {
      try {
        return chan.receive();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancelledException("interrupted while receiving from " + chan.name(), e);
      }
    }

    @Override
    public T next() {
      if (!hasNext() || current == null) {
        throw new NoSuchElementException("the channel " + chan.name() + " is closed and drained");
      }
      isFetched = false;
      return current.value();
    }
  }
}
