package io.heddle.internal.poll;

import org.jspecify.annotations.Nullable;

/**
 * Watches file descriptors, and says who waits for one that is ready.
 *
 * <p>One thread at a time may use a given {@link JfrEvents}; apart from that anybody may do anything at any time, up to
 * {@link #close}.
 */
public interface NetPoller {
  /** Room for what one look finds: from {@link #look}, which fills it, to {@link #wake}, which empties it. */
  interface Events {
    /** How many of them nobody has been woken for yet. */
    int size();

    default boolean isEmpty() {
      return size() == 0;
    }
  }

  Events newEvents();

  /**
   * Where to wait for a descriptor, which is watched from now on.
   *
   * @param owner what has the descriptor for as long as it is open, and is never given another one; null if that is not
   *     known, and then each call asks the system again
   * @return null if the system will not watch it
   */
  @Nullable PollDesc watch(int fd, @Nullable Object owner);

  /** Where those wait that wait for {@code fd}, if anybody ever did. */
  @Nullable PollDesc find(int fd);

  /**
   * Looks for what is ready, and waits for it for up to {@code nanos}; 0: not at all. Returns early, with nothing, when
   * {@linkplain #interrupt interrupted}, or for no reason.
   *
   * @return whether there is something in {@code events}, which was empty
   */
  boolean look(Events events, long nanos);

  /** Wakes those that wait for what was found, in the order in which it was. */
  void wake(Events events);

  /** Whoever waits in {@link #look}, or does so next, returns at once, until it is taken back. Never throws. */
  void interrupt();

  /** Takes one {@link #interrupt} back: of several, the others stay in force. */
  void clearInterrupt();

  /** Gives it all back to the system. Nobody may use it any more. */
  void close();
}
