package io.heddle.internal.queue;

import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one FIFO queue that all owners share (rules Q5, Q6): for elements that no owner has, or has room for.
 *
 * <p>Unbounded, and a put never fails. Any thread may use it that may take a {@link RuntimeLock}.
 */
public final class GlobalQueue<T extends QueueNode<T>> implements Overflow<T> {
  /*
   * Elements are, oldest first: those of front, a chain; those in the chunks; those of spill, a chain. The chunks hold
   * nearly all: an element waits there untouched, while walking a chain of elements that have left the caches costs a
   * miss for each. The chains are for what must not allocate: front for those put before all others, spill for when
   * there is no memory for a chunk; then all go there until it is empty.
   *
   * Invariants, under the lock: size is the number of elements; firstChunk leads to lastChunk, which is the only one
   * that may be partly filled, and all before it have something left; spill is empty or no element came after it.
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

  /** Two batches of an overflowing ring. */
  private static final int CHUNK = 256;

  private static final class QueueChunk<T extends QueueNode<T>> {
    final @Nullable QueueNode<T>[] items;
    int from;
    int to;
    @Nullable QueueChunk<T> next;

    QueueChunk(@Nullable QueueNode<T>[] items) {
      this.items = items;
    }

    void add(T item) {
      items[to++] = item;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // between from and to every slot is filled
    T take() {
      T item = (T) items[from];
      items[from++] = null;
      return item;
    }
  }

  /** A chain with both ends, under the lock. */
  private static final class Chain<T extends QueueNode<T>> {
    @Nullable T first;
    @Nullable T last;

    void append(T item) {
      T before = last;
      if (before == null) {
        first = item;
      } else {
        before.link = item;
      }
      last = item;
    }

    void prepend(T head, T tail) {
      tail.link = first;
      first = head;
      if (last == null) {
        last = tail;
      }
    }

    @Nullable T take() {
      T item = first;
      if (item != null) {
        first = item.unlink();
        if (first == null) {
          last = null;
        }
      }
      return item;
    }
  }

  private final RuntimeLock lock;
  private final Supplier<@Nullable QueueNode<T>[]> memory;
  private final Chain<T> front = new Chain<>();
  private final Chain<T> spill = new Chain<>();
  private QueueChunk<T> firstChunk;
  private QueueChunk<T> lastChunk;

  /** One that was emptied, for the next to be needed. */
  private @Nullable QueueChunk<T> spare;

  private volatile int size;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of the erased type
  public GlobalQueue(RuntimeLock lock) {
    this(lock, () -> new QueueNode[CHUNK]);
  }

  /** With chunks from {@code memory}, all of one size: small, or refused, for tests. */
  GlobalQueue(RuntimeLock lock, Supplier<@Nullable QueueNode<T>[]> memory) {
    this.lock = lock;
    this.memory = memory;
    this.firstChunk = new QueueChunk<>(memory.get());
    this.lastChunk = firstChunk;
  }

  /** Adds one at the tail. */
  public void put(T item) {
    lock.lock();
    try {
      append(item);
      sizeRelease(sizePlain() + 1);
    } finally {
      lock.unlock();
    }
  }

  /** Adds at the tail, in order and at once, the {@code n} elements linked from {@code head} to {@code tail}. */
  @Override
  public void accept(T head, T tail, int n) {
    lock.lock();
    try {
      for (T item = head; item != null; ) {
        T rest = item.unlink();
        append(item);
        item = rest;
      }
      sizeRelease(sizePlain() + n);
    } finally {
      lock.unlock();
    }
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // in that range every slot is filled
  public boolean acceptRing(@Nullable QueueNode<T>[] ring, int from, int n, T last) {
    lock.lock();
    try {
      for (int i = 0; i < n; i++) {
        append((T) ring[(from + i) & (ring.length - 1)]);
      }
      append(last);
      sizeRelease(sizePlain() + n + 1);
    } finally {
      lock.unlock();
    }
    return true;
  }

  /** Adds in front of all others, in order and at once, the {@code n} elements linked from {@code head} to {@code tail}. */
  public void putAllFirst(T head, T tail, int n) {
    lock.lock();
    try {
      front.prepend(head, tail);
      sizeRelease(sizePlain() + n);
    } finally {
      lock.unlock();
    }
  }

  /** Adds one at the tail and takes the oldest, which is {@code item} itself if there is no other. */
  public T swap(T item) {
    if (isEmpty()) {
      return item;
    }
    lock.lock();
    try {
      append(item);
      return takeOldest();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the oldest, or null. */
  public @Nullable T take() {
    if (isEmpty()) {
      return null;
    }
    lock.lock();
    try {
      int n = sizePlain();
      if (n == 0) {
        return null;
      }
      sizeRelease(n - 1);
      return takeOldest();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a fair share for one of {@code procs} owners: {@code min(size, size / procs + 1, limit)} elements. Returns the
   * oldest, null if there is none, and puts the others, in order, behind those in the ring of the caller.
   *
   * @param ring the caller's, with room for {@code limit - 1} more
   */
  public @Nullable T takeShare(int procs, int limit, RunQueue<T> ring) {
    if (isEmpty()) {
      return null;
    }
    lock.lock();
    try {
      int n = sizePlain();
      if (n == 0) {
        return null;
      }
      int share = n == 1 ? 1 : Math.min(n, Math.min(n / procs + 1, limit));
      T first = takeOldest();
      fill(ring, share - 1);
      sizeRelease(n - share);
      return first;
    } finally {
      lock.unlock();
    }
  }

  public int size() {
    return (int) SIZE.getAcquire(this);
  }

  /** A hint: see the ordering above. */
  public boolean isEmpty() {
    return size() == 0;
  }

  private void append(T item) {
    if (spill.first == null && (lastChunk.to < lastChunk.items.length || addChunk())) {
      lastChunk.add(item);
    } else {
      spill.append(item);
    }
  }

  /** Moves the {@code n} oldest to the ring, those in chunks by the chunk. */
  private void fill(RunQueue<T> ring, int n) {
    int done = 0;
    while (done < n) {
      QueueChunk<T> chunk = firstChunk;
      int some = Math.min(n - done, chunk.to - chunk.from);
      if (front.first != null || some == 0) {
        ring.fill(done++, takeOldest());
        continue;
      }
      ring.fill(done, chunk.items, chunk.from, some);
      Arrays.fill(chunk.items, chunk.from, chunk.from + some, null);
      chunk.from += some;
      done += some;
      if (chunk.from == chunk.to) {
        drop(chunk);
      }
    }
    ring.publish(n);
  }

  /** False if there is no memory for another. */
  private boolean addChunk() {
    QueueChunk<T> fresh = spare;
    spare = null;
    if (fresh == null) {
      try {
        fresh = new QueueChunk<>(memory.get());
      } catch (OutOfMemoryError e) {
        return false;
      }
    }
    lastChunk.next = fresh;
    lastChunk = fresh;
    return true;
  }

  /** There is one. */
  @SuppressWarnings("NullAway") // what is in neither of the others is in spill
  private T takeOldest() {
    T item = front.take();
    if (item != null) {
      return item;
    }
    QueueChunk<T> chunk = firstChunk;
    if (chunk.from == chunk.to) {
      return spill.take();
    }
    item = chunk.take();
    if (chunk.from == chunk.to) {
      drop(chunk);
    }
    return item;
  }

  /** The first chunk is empty: on to the next, or to its own beginning if there is none. */
  private void drop(QueueChunk<T> chunk) {
    QueueChunk<T> next = chunk.next;
    chunk.from = 0;
    chunk.to = 0;
    if (next != null) {
      firstChunk = next;
      chunk.next = null;
      spare = chunk;
    }
  }

  private int sizePlain() {
    return (int) SIZE.get(this);
  }

  private void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }
}
