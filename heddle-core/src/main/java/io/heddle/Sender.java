package io.heddle;

/** The end of a channel that values go in at. */
public sealed interface Sender<T> permits Chan {
  /**
   * Sends {@code v}: waits until there is room for it or somebody receives it.
   *
   * @throws ClosedChanException if the channel is closed, or becomes so meanwhile
   * @throws InterruptedException if the caller is interrupted while it waits; then {@code v} was not sent
   */
  void send(T v) throws InterruptedException;

  /**
   * Sends {@code v} if that can be done without waiting; says whether.
   *
   * @throws ClosedChanException if the channel is closed
   */
  boolean trySend(T v);

  /**
   * Nothing more will be sent. Receivers get what is there, and then the end; who waits to send fails.
   *
   * @throws ClosedChanException if the channel is closed already
   */
  void close();
}
