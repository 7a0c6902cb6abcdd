package io.heddle;

/**
 * The sending side of a {@link Chan channel}, for code that must not receive from it: Go's
 * {@code chan<- T}.
 *
 * {@snippet :
 * static void produce(Sender<Integer> out) throws InterruptedException {
 *   for (int i = 0; i < 10; i++) {
 *     out.send(i);
 *   }
 *   out.close();
 * }
 * }
 *
 * <p>All methods can be called by any number of threads at the same time. Actions before a send
 * <i>happen-before</i> actions after the receive that returns its value. {@link Chan} describes
 * closing and interruption.
 *
 * @param <T> the type of the values
 */
public sealed interface Sender<T> permits Chan {
  /**
   * Sends {@code v}. Waits until the buffer has room for it or, on an unbuffered channel, until a
   * receiver takes it.
   *
   * @param v the value, not null
   * @throws ClosedChanException if the channel is closed, or is closed while this waits; then
   *     {@code v} was not sent
   * @throws InterruptedException if the caller is interrupted while it would have to wait; then
   *     {@code v} was not sent
   */
  void send(T v) throws InterruptedException;

  /**
   * Sends {@code v} if that needs no waiting. On an unbuffered channel this succeeds only if a
   * receiver is waiting.
   *
   * @param v the value, not null
   * @return whether {@code v} was sent
   * @throws ClosedChanException if the channel is closed
   */
  boolean trySend(T v);

  /**
   * Closes the channel: no value will follow. Receivers get the values that are left, and
   * {@code null} after them. Threads that wait to send get a {@link ClosedChanException}. Never
   * waits.
   *
   * @throws ClosedChanException if the channel is closed already
   */
  void close();
}
