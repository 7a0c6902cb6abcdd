package io.heddle.internal.queue;

import io.heddle.internal.base.Handles;
import io.heddle.internal.note.RuntimeLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The FIFO queue that all owners of a {@link RunQueue} share (rules Q5, Q6). In the scheduler an
 * owner is an M with a P, and an element is a runnable goroutine. The queue holds elements that
 * belong to no owner, or did not fit into the ring of an owner.
 *
 * <p>The queue is unbounded and a put never fails. Every thread that may take a {@link RuntimeLock}
 * may use it.
 */
public final class GlobalQueue<T extends QueueNode<T>> implements Overflow<T> {
  /*
   * The elements are, oldest first: the chain front, the chunks (arrays), the chain spill.
   * The chunks hold nearly all elements, because a queue operation on a chunk does not touch the
   * elements in it. An operation on a chain (a linked list) touches each element, which costs a
   * cache miss if the element has left the caches.
   * The chains serve operations that must not allocate. front holds the elements that putAllFirst
   * adds before all others. spill takes new elements while there is no memory for another chunk.
   * Until spill is empty again, all new elements go there, so that the order is kept.
   *
   * Invariants, under the lock:
   *   size is the number of elements.
   *   firstChunk is linked to lastChunk. Only lastChunk may have free slots at its end; each chunk
   *   before it holds at least one element.
   *   If spill is not empty, its elements are the youngest of the queue.
   *
   * Ordering: all fields are guarded by lock. The field size is also read without the lock, as a
   * hint: sizeRelease (under the lock) pairs with the acquire load in size(). An M that is about to
   * sleep must not miss a put (rule F6). For that, the thread that puts must execute a full fence
   * after the put, and the M must execute one before it reads size.
   *
   * Checked by: GlobalQueueTest, GlobalQueueLincheckTest, GlobalQueueStress (jcstress). The last
   * also tests a broken twin: a copy with a deliberate error, which the test must find.
   */
  private static final VarHandle SIZE = Handles.field(MethodHandles.lookup(), "size", int.class);

  /**
   * The number of elements per chunk. A full ring moves half of its elements here at once, so a
   * chunk holds the elements of about two such moves.
   */
  private static final int CHUNK = 256;

  /** An array whose slots from {@code from} to {@code to - 1} hold elements, oldest first. */
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

  /** A linked list with a pointer to each end, guarded by the lock. */
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

  /** An empty chunk kept for reuse; null if there is none. */
  private @Nullable QueueChunk<T> spare;

  private volatile int size;

  /** Creates an empty queue that is guarded by {@code lock}. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of the erased type
  public GlobalQueue(RuntimeLock lock) {
    this(lock, () -> new QueueNode[CHUNK]);
  }

  /**
   * Creates a queue for a test. {@code memory} makes the arrays of the chunks, all of one size. The
   * test can make them small, or throw an OutOfMemoryError.
   */
  GlobalQueue(RuntimeLock lock, Supplier<@Nullable QueueNode<T>[]> memory) {
    this.lock = lock;
    this.memory = memory;
    this.firstChunk = new QueueChunk<>(memory.get());
    this.lastChunk = firstChunk;
  }

  /** Adds {@code item} at the tail. */
  public void put(T item) {
    lock.lock();
    try {
      append(item);
      sizeRelease(sizePlain() + 1);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds the {@code n} elements linked from {@code head} to {@code tail} at the tail, in order and
   * in one step.
   */
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

  /**
   * Adds the {@code n} elements linked from {@code head} to {@code tail} before all others, in
   * order and in one step.
   */
  public void putAllFirst(T head, T tail, int n) {
    lock.lock();
    try {
      front.prepend(head, tail);
      sizeRelease(sizePlain() + n);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds {@code item} at the tail, then takes and returns the oldest element. That is {@code item}
   * itself if the queue was empty.
   */
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

  /** Takes the oldest element. Returns null if the queue is empty. */
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
   * Takes the fair share of one owner: {@code min(size, size / procs + 1, limit)} elements. Returns
   * the oldest of them and appends the others, in order, to the caller's ring. Returns null if the
   * queue is empty.
   *
   * @param procs the number of owners
   * @param limit the greatest share
   * @param ring the queue that the caller owns, with room for {@code limit - 1} more elements
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

  /**
   * Returns the number of elements. The result is a hint that may miss a concurrent put: see the
   * ordering at the top of this class.
   */
  public int size() {
    return (int) SIZE.getAcquire(this);
  }

  /**
   * Whether there are no elements. The result is a hint that may miss a concurrent put: see the
   * ordering at the top of this class.
   */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** Adds {@code item} at the tail: to the last chunk, a new chunk, or the chain spill. */
  private void append(T item) {
    if (spill.first == null && (lastChunk.to < lastChunk.items.length || addChunk())) {
      lastChunk.add(item);
    } else {
      spill.append(item);
    }
  }

  /**
   * Moves the {@code n} oldest elements to the ring. Copies those of the same chunk in one step,
   * unless the chain {@code front} has elements.
   */
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

  /** Appends an empty chunk; returns false if there is no memory for it. */
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

  /** Takes the oldest element of a queue that is not empty. */
  @SuppressWarnings("NullAway") // spill has an element if front and the chunks have none
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

  /**
   * Removes the first chunk, which is empty, and keeps it as the spare chunk. If there is no other
   * chunk, the first one stays and is reset.
   */
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
