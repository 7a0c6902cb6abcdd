package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * An element of a queue. It contains the link to the next element of its list, so that queueing
 * allocates nothing. An element can be in at most one list.
 *
 * <p>While an element is queued, no thread may queue it again (rule Q7). Only the list that
 * contains the element uses the link.
 */
public abstract class QueueNode<T extends QueueNode<T>> {
  @Nullable T link;

  /**
   * Appends {@code next} to this element, which is the last of a chain of linked elements. Only for
   * the thread that builds the chain.
   */
  public final void linkTo(T next) {
    link = next;
  }

  /**
   * Detaches this element, the first of a chain, and returns the next element; null if there is
   * none. Only for the thread that may change the chain.
   */
  public final @Nullable T unlink() {
    T rest = link;
    link = null;
    return rest;
  }
}
