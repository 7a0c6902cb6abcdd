package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * The destination for half of the elements of a full ring, the bounded queue of an owner (rule Q3).
 * In the scheduler it is the {@link GlobalQueue}.
 */
@FunctionalInterface
public interface Overflow<T extends QueueNode<T>> {
  /**
   * Takes the {@code n} elements that are linked from {@code first} to {@code last}, in this order.
   */
  void accept(T first, T last, int n);

  /**
   * Takes the {@code n} elements of {@code ring} from index {@code from}, wrapping around at its
   * end, and then {@code last}. The length of {@code ring} is a power of two.
   *
   * @return false, with no effect, if this destination accepts only linked elements: the caller
   *     then links them and calls {@link #accept}
   */
  default boolean acceptRing(@Nullable QueueNode<T>[] ring, int from, int n, T last) {
    return false;
  }
}
