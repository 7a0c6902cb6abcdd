package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** The destination for half of the elements of a full ring (rule Q3). */
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
   * @return false, with no effect, if this destination needs a chain: the caller then calls {@link
   *     #accept}
   */
  default boolean acceptRing(@Nullable QueueNode<T>[] ring, int from, int n, T last) {
    return false;
  }
}
