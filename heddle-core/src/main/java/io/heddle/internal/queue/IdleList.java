package io.heddle.internal.queue;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free stack of idle items; in the scheduler, of idle Ms. The M that became idle last is
 * taken first, because its caches are the warmest.
 */
public final class IdleList<T> {
  /*
   * Treiber's stack of immutable nodes.
   * ABA cannot occur: a node is pushed once, and the collector does not reuse a node that a thread
   * still refers to.
   * remove() replaces the nodes above the removed node by copies. So it changes the list by one
   * compare-and-set of top, like pop. Therefore exactly one of several concurrent calls of pop and
   * remove gets an item.
   *
   * Ordering: the compare-and-set of top pairs with its volatile read. The caller of pop sees what
   * the caller of push wrote before.
   *
   * Checked by: IdleListTest, IdleListLincheckTest, IdleListStress (jcstress). The last also tests
   * a broken twin: a copy with a deliberate error, which the test must find.
   */
  private record Node<T>(T item, @Nullable Node<T> next) {
    /** Returns the node of {@code wanted}, from this node on; null if there is none. */
    @Nullable Node<T> find(T wanted) {
      for (Node<T> node = this; node != null; node = node.next) {
        if (node.item == wanted) {
          return node;
        }
      }
      return null;
    }

    /**
     * Returns copies of the nodes above {@code gone}, in order, on top of the nodes below it; null
     * if there are no other nodes. Not recursive, because the list may be long.
     */
    @Nullable Node<T> without(Node<T> gone) {
      Node<T> reversed = null;
      for (Node<T> node = this; node != null && node != gone; node = node.next) {
        reversed = new Node<>(node.item, reversed);
      }
      Node<T> copy = gone.next;
      for (; reversed != null; reversed = reversed.next) {
        copy = new Node<>(reversed.item, copy);
      }
      return copy;
    }
  }

  private static final VarHandle TOP = Handles.field(MethodHandles.lookup(), "top", Node.class);

  private volatile @Nullable Node<T> top;

  /** Adds {@code item}, which must not be in the list. */
  public void push(T item) {
    Node<T> old;
    do {
      old = top;
    } while (!casTop(old, new Node<>(item, old)));
  }

  /** Takes the item that was pushed last. Returns null if the list is empty. */
  public @Nullable T pop() {
    for (; ; ) {
      Node<T> old = top;
      if (old == null) {
        return null;
      }
      if (casTop(old, old.next())) {
        return old.item();
      }
    }
  }

  /**
   * Removes {@code item} from any position. Returns false if the item is not in the list, for
   * example because it was popped. Also returns false if there is no memory for the copies of the
   * nodes above it: then the item stays in the list, and a later {@code pop} returns it.
   */
  public boolean remove(T item) {
    try {
      return tryRemove(item);
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private boolean tryRemove(T item) {
    for (; ; ) {
      Node<T> old = top;
      Node<T> gone = old == null ? null : old.find(item);
      if (old == null || gone == null) {
        return false;
      }
      if (casTop(old, old.without(gone))) {
        return true;
      }
    }
  }

  /** Whether the list has no items at this moment. */
  public boolean isEmpty() {
    return top == null;
  }

  /** Returns the number of items. May be out of date at once. */
  public int size() {
    int n = 0;
    for (Node<T> node = top; node != null; node = node.next()) {
      n++;
    }
    return n;
  }

  private boolean casTop(@Nullable Node<T> expected, @Nullable Node<T> next) {
    return TOP.compareAndSet(this, expected, next);
  }
}
