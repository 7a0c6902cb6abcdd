package io.heddle.internal.queue;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A lock-free stack of idle things: the last to come is the first to go, while its caches are warm. */
public final class IdleList<T> {
  /*
   * Treiber's stack of immutable nodes. No ABA: a node is pushed once, and the collector does not reuse one that a
   * thread still looks at. remove() replaces the nodes above the one it takes out by copies, so it, too, is one
   * compare-and-set of top: exactly one of pop and remove gets an item.
   *
   * Ordering: the compare-and-set of top pairs with its volatile read; what was written before push is seen after pop.
   *
   * Checked by: IdleListTest, IdleListLincheckTest, IdleListStress (jcstress, with a broken twin).
   */
  private record Node<T>(T item, @Nullable Node<T> next) {
    @Nullable Node<T> find(T wanted) {
      for (Node<T> node = this; node != null; node = node.next) {
        if (node.item == wanted) {
          return node;
        }
      }
      return null;
    }

    /** Copies of the nodes above {@code gone}, in order, on top of the ones below it. In loops: the list may be long. */
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

  /** Takes the one that came last, or null. */
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
   * Takes {@code item} out from wherever it is; false if it is not there, for instance because it was popped, or if there
   * is no memory to do it: then it stays, and somebody will pop it.
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

  public boolean isEmpty() {
    return top == null;
  }

  /** How many; a guess by the time it is used, unless nothing moves. */
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
