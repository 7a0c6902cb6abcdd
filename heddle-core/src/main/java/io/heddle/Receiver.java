package io.heddle;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a {@link Chan channel}, for code that must not send to it: Go's
 * {@code <-chan T}.
 *
 * {@snippet :
 * static int sum(Receiver<Integer> in) {
 *   int sum = 0;
 *   for (int n : in) {       // ends when the channel is closed and drained
 *     sum += n;
 *   }
 *   return sum;
 * }
 * }
 *
 * <p>Any number of threads can receive at the same time; each value goes to one of them. Actions
 * before a send <i>happen-before</i> actions after the receive that returns its value. {@link Chan}
 * describes closing and interruption.
 *
 * @param <T> the type of the values
 */
public sealed interface Receiver<T> extends Iterable<T> permits Chan {
  /**
   * Receives a value. Waits until there is one or the channel is closed.
   *
   * @return the oldest value; null if the channel is closed and drained
   * @throws InterruptedException if the caller is interrupted while it would have to wait; then no
   *     value was received
   */
  @Nullable T receive() throws InterruptedException;

  /**
   * Receives a value if there is one now; never waits. To tell an empty channel from a closed one,
   * use {@link Chan#isClosed} or {@link Select}.
   *
   * @return the oldest value; null if there is none now, or if the channel is closed and drained
   */
  @Nullable T tryReceive();

  /**
   * Returns an iterator that receives values until the channel is closed and drained: Go's
   * {@code range}. {@code hasNext()} waits for the next value and keeps it for {@code next()}. If
   * the caller is interrupted meanwhile, both throw {@link CancelledException} and leave the
   * interrupt flag set.
   *
   * <p>Several threads can iterate over one channel, each with an iterator of its own: they share
   * the values. One iterator must not be used by several threads at the same time.
   *
   * @return a new iterator, without {@code remove}
   */
  @Override
  Iterator<T> iterator();
}
