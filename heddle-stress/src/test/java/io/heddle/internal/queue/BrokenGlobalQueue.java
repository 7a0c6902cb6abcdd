package io.heddle.internal.queue;

import io.heddle.internal.note.RuntimeLock;
import org.jspecify.annotations.Nullable;

/**
 * The broken twin of {@link GlobalQueue}: a copy of it, with one method that does not take the
 * lock, or takes it twice.
 */
final class BrokenGlobalQueue implements GlobalFifo {
  /** The method that does not take the lock, or takes it twice. */
  enum Fault {
    /** None: shows that the tests detect only the fault. */
    NONE,
    PUT_UNLOCKED,
    PUT_FIRST_UNLOCKED,
    TAKE_UNLOCKED,
    SWAP_UNLOCKED,
    /**
     * swap takes an element, then puts the other one: in between the queue has one element less.
     */
    SWAP_IN_TWO
  }

  private final RuntimeLock lock = new RuntimeLock(Thread::yield);
  private final Fault fault;
  private @Nullable Token first;
  private @Nullable Token last;
  private volatile int size;

  BrokenGlobalQueue(Fault fault) {
    this.fault = fault;
  }

  @Override
  public void putAll(Token head, Token tail, int n) {
    lock(Fault.PUT_UNLOCKED);
    append(head, tail);
    size = size + n;
    unlock(Fault.PUT_UNLOCKED);
  }

  @Override
  public void putAllFirst(Token head, Token tail, int n) {
    lock(Fault.PUT_FIRST_UNLOCKED);
    tail.link = first;
    first = head;
    if (last == null) {
      last = tail;
    }
    size = size + n;
    unlock(Fault.PUT_FIRST_UNLOCKED);
  }

  @Override
  public @Nullable Token takeShare(int procs, int limit) {
    return isEmpty() ? null : takeAtMost(Math.min(size / procs + 1, limit));
  }

  @Override
  public Token swap(Token item) {
    if (isEmpty()) {
      return item;
    }
    if (fault == Fault.SWAP_IN_TWO) {
      Token oldest = take();
      if (oldest == null) {
        return item;
      }
      put(item);
      return oldest;
    }
    lock(Fault.SWAP_UNLOCKED);
    append(item, item);
    Token oldest = first;
    removeUpTo(oldest);
    unlock(Fault.SWAP_UNLOCKED);
    return oldest;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }

  private @Nullable Token takeAtMost(int most) {
    lock(Fault.TAKE_UNLOCKED);
    Token head = first;
    if (head != null) {
      takeFrom(head, most);
    }
    unlock(Fault.TAKE_UNLOCKED);
    return head;
  }

  private void takeFrom(Token head, int most) {
    Token end = head;
    int n = 1;
    for (Token g = end.link; n < most && g != null; g = g.link) {
      end = g;
      n++;
    }
    removeUpTo(end);
    size = size - n;
  }

  private void append(Token head, Token tail) {
    Token before = last;
    if (before == null) {
      first = head;
    } else {
      before.link = head;
    }
    last = tail;
  }

  private void removeUpTo(Token end) {
    first = end.unlink();
    if (first == null) {
      last = null;
    }
  }

  private void lock(Fault without) {
    if (fault != without) {
      lock.lock();
    }
  }

  private void unlock(Fault without) {
    if (fault != without) {
      lock.unlock();
    }
  }
}
