package io.heddle.internal.queue;

/** Where a full ring sends half of itself (rule Q3). */
@FunctionalInterface
public interface Overflow<T extends Linked<T>> {
  /** Takes the {@code n} elements that are linked from {@code first} to {@code last}, in that order. */
  void accept(T first, T last, int n);
}
