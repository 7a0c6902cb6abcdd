package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * An element that carries the link of the list it is in, so that queueing allocates nothing. It can
 * be in at most one list.
 *
 * <p>Only one thread may queue an element before it is taken out again (rule Q7). While the element
 * is in a list, the link belongs to that list.
 */
public abstract class QueueNode<T extends QueueNode<T>> {
  @Nullable T link;

  /**
   * Appends {@code next} to this element, the last of its chain. Only for the thread that owns the
   * chain.
   */
  public final void linkTo(T next) {
    link = next;
  }

  /**
   * Detaches this first element of a chain and returns the rest. Only for the thread that owns the
   * chain.
   */
  public final @Nullable T unlink() {
    T rest = link;
    link = null;
    return rest;
  }
}
