package io.heddle.internal.queue;

import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The one FIFO queue that all owners share (rules Q5, Q6): for elements that no owner has, or has room for.
 *
 * <p>Unbounded, allocates nothing. Any thread may use it that may take a {@link RuntimeLock}.
 */
public final class GlobalQueue<T extends Linked<T>> {
  /*
   * Invariants, under the lock: first == null iff last == null iff size == 0; following link from first reaches last
   * after size - 1 steps, and last.link == null.
   *
   * Ordering: all fields are guarded by lock. size is also read without it, as a hint: sizeRelease (under the lock)
   * pairs with sizeAcquire. Who relies on seeing a put (the sleep dance, rule F6) puts a full fence behind the put and
   * in front of the look.
   *
   * Checked by: GlobalQueueTest, GlobalQueueLincheckTest, GlobalQueueStress (jcstress, with a broken twin).
   */
  private static final VarHandle SIZE;

  static {
    try {
      SIZE = MethodHandles.lookup().findVarHandle(GlobalQueue.class, "size", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RuntimeLock lock;
  private @Nullable T first;
  private @Nullable T last;
  private volatile int size;

  public GlobalQueue(RuntimeLock lock) {
    this.lock = lock;
  }

  /** Adds one at the tail. */
  public void put(T item) {
    putAll(item, item, 1);
  }

  /** Adds at the tail, in order and at once, the {@code n} elements linked from {@code head} to {@code tail}. */
  public void putAll(T head, T tail, int n) {
    lock.lock();
    try {
      T before = last;
      if (before == null) {
        first = head;
      } else {
        before.link = head;
      }
      last = tail;
      sizeRelease(sizePlain() + n);
    } finally {
      lock.unlock();
    }
  }

  /** Adds in front of all others, in order and at once, the {@code n} elements linked from {@code head} to {@code tail}. */
  public void putAllFirst(T head, T tail, int n) {
    lock.lock();
    try {
      tail.link = first;
      first = head;
      if (last == null) {
        last = tail;
      }
      sizeRelease(sizePlain() + n);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the oldest, or null. */
  public @Nullable T take() {
    return takeAtMost(1);
  }

  /**
   * Takes a fair share for one of {@code procs} owners: {@code min(size, size / procs + 1, limit)} elements, oldest
   * first, as a chain to be {@linkplain Linked#unlink unlinked}; null if there is none.
   */
  public @Nullable T takeShare(int procs, int limit) {
    return isEmpty() ? null : takeAtMost(Math.min(size() / procs + 1, limit));
  }

  public int size() {
    return (int) SIZE.getAcquire(this);
  }

  /** A hint: see the ordering above. */
  public boolean isEmpty() {
    return size() == 0;
  }

  private @Nullable T takeAtMost(int most) {
    if (isEmpty()) {
      return null;
    }
    lock.lock();
    try {
      T head = first;
      if (head == null) {
        return null;
      }
      T end = head;
      int n = 1;
      for (T g = end.link; n < most && g != null; g = g.link) {
        end = g;
        n++;
      }
      first = end.unlink();
      if (first == null) {
        last = null;
      }
      sizeRelease(sizePlain() - n);
      return head;
    } finally {
      lock.unlock();
    }
  }

  private int sizePlain() {
    return (int) SIZE.get(this);
  }

  private void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }
}
