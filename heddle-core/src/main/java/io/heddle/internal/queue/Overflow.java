package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** Where a full ring sends half of itself (rule Q3). */
@FunctionalInterface
public interface Overflow<T extends QueueNode<T>> {
  /** Takes the {@code n} elements that are linked from {@code first} to {@code last}, in that order. */
  void accept(T first, T last, int n);

  /**
   * The same for those who need no links: takes the {@code n} elements that stand in {@code ring}, whose length is a
   * power of two, from {@code from} on and round its end, and {@code last} behind them. False: wants a chain instead.
   */
  default boolean acceptRing(@Nullable QueueNode<T>[] ring, int from, int n, T last) {
    return false;
  }
}
