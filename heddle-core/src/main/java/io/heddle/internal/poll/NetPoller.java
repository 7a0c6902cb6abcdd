package io.heddle.internal.poll;

import org.jspecify.annotations.Nullable;

/**
 * Watches file descriptors and wakes the threads that wait for them.
 *
 * <p>Any thread may call any method before {@link #close}. An {@link Events} object must be used by
 * one thread at a time.
 */
public interface NetPoller {
  /**
   * A buffer for the events of one poll: {@link #look} fills the buffer, {@link #wake} empties it.
   */
  interface Events {
    /** Returns the number of events that {@link #wake} has not processed yet. */
    int size();

    /** Whether {@link #wake} has processed all events. */
    default boolean isEmpty() {
      return size() == 0;
    }
  }

  /** Creates an empty event buffer. */
  Events newEvents();

  /**
   * Starts to watch a descriptor, unless it is watched already.
   *
   * @param owner the object that owns the descriptor while it is open, and never owns another one;
   *     null if it is not known. Then each call registers the descriptor with the system again.
   * @return the object with which threads wait for the descriptor; null if the system refuses to
   *     watch it
   */
  @Nullable PollDesc watch(int fd, @Nullable Object owner);

  /** Returns the object with which threads wait for {@code fd}; null if it is not watched. */
  @Nullable PollDesc find(int fd);

  /**
   * Polls for events and waits for them at most {@code nanos}; 0 does not wait. May return early
   * without events, for example after an {@link #interrupt}.
   *
   * @param events must be empty
   * @return whether {@code events} now has an event
   * @throws IllegalStateException if the system call fails
   */
  boolean look(Events events, long nanos);

  /** Wakes the threads that wait for the events, in the order of the events. */
  void wake(Events events);

  /**
   * Makes the present {@link #look} return at once, and each later one, until {@link
   * #clearInterrupt} consumes this interrupt. Never throws.
   */
  void interrupt();

  /** Consumes one {@link #interrupt}; other interrupts stay in force. */
  void clearInterrupt();

  /** Releases the system resources. No thread may use the poller afterwards. */
  void close();
}
