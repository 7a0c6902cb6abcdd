package io.heddle.internal.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The broken twin of {@link IdleList}: a copy of it, with one method that stores top instead of
 * comparing first.
 */
final class BrokenIdleList implements IdleStack {
  /** The method that does not compare. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    PUSH_WITHOUT_CAS,
    POP_WITHOUT_CAS,
    REMOVE_WITHOUT_CAS
  }

  private record Node(Token item, @Nullable Node next) {
    boolean contains(Token wanted) {
      return item == wanted || (next != null && next.contains(wanted));
    }

    @Nullable Node without(Token gone) {
      return item == gone ? next : new Node(item, next.without(gone));
    }
  }

  private final Fault fault;
  private final AtomicReference<@Nullable Node> top = new AtomicReference<>();

  BrokenIdleList(Fault fault) {
    this.fault = fault;
  }

  @Override
  public void push(Token item) {
    Node old;
    do {
      old = top.get();
    } while (!moveTop(old, new Node(item, old), Fault.PUSH_WITHOUT_CAS));
  }

  @Override
  public @Nullable Token pop() {
    for (; ; ) {
      Node old = top.get();
      if (old == null) {
        return null;
      }
      if (moveTop(old, old.next, Fault.POP_WITHOUT_CAS)) {
        return old.item;
      }
    }
  }

  @Override
  public boolean remove(Token item) {
    for (; ; ) {
      Node old = top.get();
      if (old == null || !old.contains(item)) {
        return false;
      }
      if (moveTop(old, old.without(item), Fault.REMOVE_WITHOUT_CAS)) {
        return true;
      }
    }
  }

  private boolean moveTop(@Nullable Node old, @Nullable Node next, Fault without) {
    if (fault == without) {
      top.set(next);
      return true;
    }
    return top.compareAndSet(old, next);
  }
}
