package io.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The runnable elements of one owner: a ring, and a slot for the one that runs next (rules Q1 to Q4, Q8, F4).
 *
 * <p>Only the owner puts; any thread may {@linkplain #stealInto steal}, take {@linkplain #pollNextShared the next} or
 * {@linkplain #pollHeadShared the oldest}, {@linkplain #offerNext offer} a next one where there is none, or ask whether
 * it {@linkplain #isEmpty is empty}, what is {@linkplain #next next} and how many {@linkplain #ringSize wait}. Who the
 * owner is may change, if the change orders the old owner's accesses before the new one's.
 */
public final class RunQueue<T extends QueueNode<T>> {
  /*
   * Invariants:
   *   0 <= tail - head <= capacity, as wrapping ints
   *   slots [head, tail) hold the elements, oldest first; the others hold null or what was there before
   *   each element is in one slot or in runNext, once
   *
   * Who writes: tail and the slots, the owner alone; head, the owner and thieves, by compare-and-set; runNext, the
   * owner (any value), others by compare-and-set: thieves to null, who offers one from null.
   *
   * Ordering:
   *   tailRelease (owner) pairs with tailAcquire (thief): the slots below tail are seen.
   *   casHead (thief) pairs with headAcquire (owner): the thief's reads of the slots come before the owner writes them
   *   again.
   *   runNext is exchanged with volatile semantics: an element put there is in the total order of volatile accesses,
   *   so a put followed by a volatile read needs no fence in between (the sleep dance relies on it, rule F6). One that
   *   was kicked from there is not: tail is only released, and if a thief takes the one that kicked it, a sleeper may
   *   see neither. So put says when it has kicked one.
   *
   * No ABA: a thief's casHead(h, h + n) could only succeed wrongly if head had come back to h, which takes 2^32
   * takes while the thief stands between two instructions; the slots it read for that h were written before the tail
   * it read, by the owner alone. runNext may hold the same element again when a thief's compare-and-set comes: then it
   * takes that one, which is right, since the element is there now.
   *
   * Differences from Go: the owner clears the slot it takes, so that a dead element is not kept alive by the ring.
   * Others cannot; up to a ring's worth of elements they took stay reachable until their slots are written again, or the
   * owner forgets them.
   *
   * Checked by: RunQueueTest, RunQueueLincheckTest, RunQueueStress (jcstress, with broken twins).
   */
  private static final VarHandle HEAD;
  private static final VarHandle TAIL;
  private static final VarHandle RUN_NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(RunQueue.class, "head", int.class);
      TAIL = lookup.findVarHandle(RunQueue.class, "tail", int.class);
      RUN_NEXT = lookup.findVarHandle(RunQueue.class, "runNext", QueueNode.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Go's size of a P's ring. */
  public static final int CAPACITY = 256;

  private final @Nullable QueueNode<T>[] slots;
  private final int mask;
  private final Overflow<T> overflow;

  private volatile int head;
  private volatile int tail;
  private volatile @Nullable QueueNode<T> runNext;

  /** For the owner. */
  private int lastStolen;

  /** For the owner: what was taken before this head has been forgotten. */
  private int forgotten;

  /** A ring of {@link #CAPACITY}. */
  public RunQueue(Overflow<T> overflow) {
    this(CAPACITY, overflow);
  }

  /** A ring of another size, a power of two from 2 on: small ones let a model checker reach every corner. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of the erased type; only put writes it
  public RunQueue(int capacity, Overflow<T> overflow) {
    if (capacity < 2 || Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException(
          "capacity " + capacity + ": allowed is a power of two from 2 on");
    }
    this.slots = new QueueNode[capacity];
    this.mask = capacity - 1;
    this.overflow = overflow;
  }

  /**
   * Owner: adds {@code item}. With {@code next} it takes the slot of the one that runs next and kicks the old occupant
   * to the tail of the ring; otherwise it goes to the tail itself. A full ring first moves half of itself, and the
   * element that did not fit behind it, to the overflow.
   *
   * @return whether an element went to the ring, which is in no total order: who then looks for a sleeper puts a full
   *     fence in between
   */
  public boolean put(T item, boolean next) {
    T last = next ? exchangeRunNext(item) : item;
    if (last == null) {
      return false;
    }
    append(last);
    return true;
  }

  /** Owner, whose ring has room for it: writes what will be the {@code i}-th behind the tail, for {@link #publish}. */
  void fill(int i, T item) {
    slots[(tailPlain() + i) & mask] = item;
  }

  /** The same for {@code n} at once, which stand in {@code items} from {@code from} on. */
  void fill(int i, @Nullable QueueNode<T>[] items, int from, int n) {
    int t = tailPlain() + i;
    for (int k = 0; k < n; k++) {
      slots[(t + k) & mask] = items[from + k];
    }
  }

  /** Owner: adds the {@code n} that were filled in to the ring, at once. */
  void publish(int n) {
    int t = tailPlain() + n;
    assert t - headAcquire() <= slots.length : "more than fit";
    tailRelease(t);
  }

  /** Anyone: the one that runs next at this moment, or null. */
  public @Nullable Object next() {
    return runNextOpaque();
  }

  /** Anyone: how many were taken from the ring, as a wrapping int: to see whether it moves. */
  public int headIndex() {
    return headAcquire();
  }

  /** Anyone: how many wait in the ring, or did a moment ago. */
  public int ringSize() {
    int h = headAcquire();
    return tailAcquire() - h;
  }

  /**
   * Anyone: shows up to {@code most} of those that wait in the ring, oldest first, or did a moment ago. To be looked at
   * only: some may have been taken, and the slots they stood in been written again.
   */
  @SuppressWarnings("unchecked") // only put writes them
  public void peek(int most, Consumer<T> seen) {
    int h = headAcquire();
    int n = Math.clamp(tailAcquire() - h, 0, Math.min(most, slots.length));
    for (int i = 0; i < n; i++) {
      T item = (T) slots[(h + i) & mask];
      if (item != null) {
        seen.accept(item);
      }
    }
  }

  /** Owner: takes the one that runs next, or null. */
  public @Nullable T takeNext() {
    return runNextOpaque() == null ? null : exchangeRunNext(null);
  }

  /** Anyone: takes the one that runs next, or null. */
  public @Nullable T pollNextShared() {
    T item = runNextVolatile();
    return item != null && casRunNextToNull(item) ? item : null;
  }

  /**
   * Anyone: makes {@code item} the next one if there is none; false if there is. Who is not the owner must see to it that
   * the owner looks: one that is about to find nothing may have looked already.
   */
  public boolean offerNext(T item) {
    // The look saves the exchange, which costs as much when it fails.
    return runNext == null
        && RUN_NEXT.compareAndSet(this, (QueueNode<T>) null, (QueueNode<T>) item);
  }

  /** Anyone: takes {@code item} back that it has offered; false if somebody has taken it. */
  public boolean withdrawNext(T item) {
    return casRunNextToNull(item);
  }

  /** Anyone: takes the oldest element of the ring, or null. */
  public @Nullable T pollHeadShared() {
    for (; ; ) {
      int h = headAcquire();
      if (tailAcquire() - h <= 0) {
        return null;
      }
      T item = slot(h);
      if (casHead(h, h + 1)) {
        return item;
      }
    }
  }

  /** Owner: takes the oldest element of the ring, or null. */
  public @Nullable T takeHead() {
    int t = tailPlain();
    for (; ; ) {
      int h = headAcquire();
      if (h == t) {
        return null;
      }
      T item = slot(h);
      if (casHead(h, h + 1)) {
        clearSlot(h);
        return item;
      }
    }
  }

  /**
   * Thief, who owns {@code into}: moves half of this ring, rounded up, there, and returns the last of them without
   * queueing it; null if there is nothing to steal. An empty ring with {@code runNextToo} gives up its next one.
   *
   * @param into a ring of the same capacity, at most half full
   */
  public @Nullable T stealInto(RunQueue<T> into, boolean runNextToo) {
    assert into.slots.length == slots.length : "rings of different size";
    int t = into.tailPlain();
    int used = t - into.headAcquire(); // and whoever stole from there has done with the free slots
    assert used <= slots.length / 2 : "a thief with work of its own";
    for (; ; ) {
      int n = grab(into, t);
      if (n > 0) {
        return publishAllButLast(into, t, n);
      }
      T next = runNextToo ? runNextVolatile() : null;
      if (next == null) {
        return null;
      }
      if (casRunNextToNull(next)) {
        into.lastStolen = 1;
        return next;
      }
    }
  }

  private T publishAllButLast(RunQueue<T> into, int t, int n) {
    into.lastStolen = n;
    int last = t + n - 1;
    T item = into.slot(last);
    into.clearSlot(last);
    if (n > 1) {
      into.tailRelease(last);
    }
    return item;
  }

  /**
   * Owner: keeps none of those any longer that were taken from the ring. Who takes as anybody leaves them in their slots,
   * since the owner may have filled those again.
   */
  public void clearTakenSlots() {
    int h = headAcquire();
    int free = slots.length - (tailPlain() - h);
    int taken = h - forgotten;
    for (int i = taken < 0 || taken > free ? free : taken; i > 0; i--) {
      clearSlot(h - i);
    }
    forgotten = h;
  }

  /** Owner, who has just stolen something: how many that were. */
  public int lastStolen() {
    return lastStolen;
  }

  /** Anyone: whether there was no element at one moment during the call. */
  public boolean isEmpty() {
    // An owner that puts with next=true exchanges runNext, then appends the old one. The old tail
    // and an empty runNext could be seen at two different moments: tail must not have moved.
    for (; ; ) {
      int h = headAcquire();
      int t = tailAcquire();
      boolean none = runNext == null;
      if (t == tailAcquire()) {
        return h == t && none;
      }
    }
  }

  /** Anyone: how many elements; a guess by the time it is used, unless nothing moves. */
  public int size() {
    int n = tailAcquire() - headAcquire();
    return Math.max(0, n) + (runNext == null ? 0 : 1);
  }

  /** Owner: copies the half it must make room for into the overflow, or appends if a thief made room first. */
  private void append(T item) {
    for (; ; ) {
      int h = headAcquire();
      int t = tailPlain();
      if (t - h < slots.length) {
        slots[t & mask] = item;
        tailRelease(t + 1);
        return;
      }
      if (overflowHalf(item, h)) {
        return;
      }
    }
  }

  /** Moves the older half and {@code item} to the overflow; false, and nothing moved, if a thief was faster. */
  private boolean overflowHalf(T item, int h) {
    int n = slots.length / 2;
    if (!casHead(h, h + n)) {
      return false;
    }
    if (!overflow.acceptRing(slots, h, n, item)) {
      overflow.accept(linked(h, n, item), item, n + 1);
    }
    for (int i = 0; i < n; i++) {
      clearSlot(h + i);
    }
    return true;
  }

  /** A chain of the {@code n} elements from {@code h} on, and {@code item}. */
  private T linked(int h, int n, T item) {
    for (int i = 1; i < n; i++) {
      slot(h + i - 1).link = slot(h + i);
    }
    slot(h + n - 1).link = item;
    return slot(h);
  }

  /** Copies half of this ring behind {@code t} of the thief's, which does not publish it yet; returns how many. */
  private int grab(RunQueue<T> into, int t) {
    int copied = 0;
    for (; ; ) {
      int h = headAcquire();
      int n = tailAcquire() - h;
      n -= n / 2;
      if (n > slots.length / 2) {
        continue; // F4: head and tail were read at different moments
      }
      n = Math.max(n, 0);
      for (int i = 0; i < n; i++) {
        into.slots[(t + i) & mask] = slots[(h + i) & mask];
      }
      if (n == 0 || casHead(h, h + n)) {
        into.clearSlots(t + n, t + copied);
        return n;
      }
      copied = Math.max(copied, n);
    }
  }

  /** What was copied there in vain. */
  private void clearSlots(int from, int to) {
    for (int i = from; i - to < 0; i++) {
      clearSlot(i);
    }
  }

  // The accesses, named by their mode.

  private int headAcquire() {
    return (int) HEAD.getAcquire(this);
  }

  private boolean casHead(int expected, int next) {
    return HEAD.compareAndSet(this, expected, next);
  }

  /** For the owner, who alone writes it. */
  private int tailPlain() {
    return (int) TAIL.get(this);
  }

  private int tailAcquire() {
    return (int) TAIL.getAcquire(this);
  }

  private void tailRelease(int t) {
    TAIL.setRelease(this, t);
  }

  /** For the owner: a null may be out of date, but only if somebody offers one just now. For others, a guess. */
  private @Nullable Object runNextOpaque() {
    return RUN_NEXT.getOpaque(this);
  }

  @SuppressWarnings("unchecked")
  private @Nullable T runNextVolatile() {
    return (T) runNext;
  }

  @SuppressWarnings("unchecked")
  private @Nullable T exchangeRunNext(@Nullable T item) {
    return (T) (QueueNode<T>) RUN_NEXT.getAndSet(this, (QueueNode<T>) item);
  }

  private boolean casRunNextToNull(T item) {
    return RUN_NEXT.compareAndSet(this, (QueueNode<T>) item, (QueueNode<T>) null);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // between head and tail every slot is filled
  private T slot(int i) {
    return (T) slots[i & mask];
  }

  private void clearSlot(int i) {
    slots[i & mask] = null;
  }
}
