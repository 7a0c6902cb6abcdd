package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * An element that carries the link of the one list it may be in, so that queueing allocates nothing.
 *
 * <p>Whoever queues an element must be the only one to do so until it is taken out again (rule Q7); the link belongs to
 * the list meanwhile.
 */
public abstract class QueueNode<T extends QueueNode<T>> {
  @Nullable T link;

  /** Makes {@code next} follow this element, the last of its chain. For the thread that holds the chain. */
  public final void linkTo(T next) {
    link = next;
  }

  /** Takes this element off the chain it heads and returns the rest. For the thread that holds the chain. */
  public final @Nullable T unlink() {
    T rest = link;
    link = null;
    return rest;
  }
}
