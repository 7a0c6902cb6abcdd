package io.heddle.internal.queue;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The runnable elements of one owner: a ring, and {@code runNext}, a slot for the element that runs
 * next (rules Q1 to Q4, Q8, F4). In the scheduler the elements are goroutines, and the owner is the
 * M that has acquired the P to which this queue belongs.
 *
 * <p>The Javadoc of each method begins with the role that may call it:
 *
 * <ul>
 *   <li><b>Owner</b>, one thread at a time: {@link #put}, {@link #takeNext}, {@link #takeHead},
 *       {@link #clearTakenSlots}, {@link #lastStolen}. Ownership may pass to another thread. The
 *       accesses of the old owner must then happen before those of the new owner.
 *   <li><b>Thief</b>, any thread that owns the target queue: {@link #stealInto}.
 *   <li><b>Any thread</b>, to take or offer: {@link #pollNextShared}, {@link #pollHeadShared},
 *       {@link #offerNext}, {@link #withdrawNext}; to observe: {@link #isEmpty}, {@link #size},
 *       {@link #ringSize}, {@link #headIndex}, {@link #next}, {@link #peek}.
 * </ul>
 *
 * <p>The file is long because a third of it is the argument why owner and thieves agree.
 */
public final class RunQueue<T extends QueueNode<T>> {
  /*
   * Invariants:
   *   0 <= tail - head <= capacity, as wrapping ints
   *   slots [head, tail) hold the elements, oldest first; others hold null or a taken element
   *   each element is in one slot or in runNext, once
   *
   * Fields. Any thread reads all of them. For each: its writers; the memory modes.
   *   tail     the owner; written with release, read with acquire
   *   slots    the owner; plain, ordered by the accesses to tail and head
   *   head     the owner and thieves; written by compare-and-set, read with acquire
   *   runNext  the owner (to any value), thieves (to null), any thread that offers an element (from
   *            null); written by exchange or compare-and-set, read volatile, or opaque as a hint
   *
   * Ordering:
   *   tailRelease (owner) pairs with tailAcquire (thief): the thief sees the elements in the slots
   *   below tail.
   *   casHead (thief) pairs with headAcquire (owner): the thief's reads of the slots come before
   *   the owner writes them again.
   *   runNext is exchanged with volatile semantics. A put there is in the total order of volatile
   *   accesses, so a put followed by a volatile read needs no fence in between. So an M that looks
   *   at all queues before it sleeps sees the element, or the thread that put it sees that the M is
   *   about to sleep (rule F6).
   *   An append to the ring is not in that order, because tail is written only with release. put
   *   may move the previous element of runNext to the ring. If a thief then takes the new runNext,
   *   an M that looks before it sleeps may see neither of the two elements. Therefore put returns
   *   whether it appended an element, so that the caller executes a full fence.
   *
   * No ABA in head: a thief's casHead(h, h + n) could succeed wrongly only if head had moved away
   * and come back to h. For that, 2^32 elements must leave the ring between two instructions of the
   * thief. As long as head is h, the slots that the thief has read still hold the same elements.
   * ABA in runNext is harmless: if the slot holds the same element again when a thief's
   * compare-and-set executes, the thief takes an element that is there at that moment.
   *
   * Differences from Go: the owner clears each slot that it takes, so that the ring does not keep a
   * dead element reachable. Other threads must not clear slots. Elements that they took, at most a
   * ring's worth, stay reachable until the owner writes their slots again or calls clearTakenSlots.
   *
   * Rejected: one interface for the methods of the owner and one for those of other threads. The
   * calls from the scheduling loop would become interface calls.
   *
   * Checked by: RunQueueTest, RunQueueLincheckTest, RunQueueStress (jcstress). The last also tests
   * broken twins: copies with a deliberate error, which the test must find.
   */
  private static final VarHandle HEAD = Handles.field(MethodHandles.lookup(), "head", int.class);
  private static final VarHandle TAIL = Handles.field(MethodHandles.lookup(), "tail", int.class);
  private static final VarHandle RUN_NEXT =
      Handles.field(MethodHandles.lookup(), "runNext", QueueNode.class);

  /** The ring size of a P, as in Go. */
  public static final int CAPACITY = 256;

  private final @Nullable QueueNode<T>[] slots;
  private final int mask;
  private final Overflow<T> overflow;

  private volatile int head;
  private volatile int tail;
  private volatile @Nullable QueueNode<T> runNext;

  /** Owner only: the number of elements that the owner's latest successful steal took. */
  private int lastStolen;

  /** Owner only: the head index up to which taken elements have been cleared from their slots. */
  private int clearedUpTo;

  /** Creates a queue with a ring of {@link #CAPACITY}. */
  public RunQueue(Overflow<T> overflow) {
    this(CAPACITY, overflow);
  }

  /**
   * Creates a queue with a ring of {@code capacity}, a power of two of at least 2. With a small
   * ring a model checker reaches every state.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of the erased type; only the owner writes
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
   * Owner: adds {@code item}. With {@code next} it goes to {@code runNext}, and the previous
   * occupant, if any, goes to the tail of the ring. Otherwise {@code item} itself goes to the tail.
   * If the ring is full, its older half moves to the overflow, followed by the element that found
   * no room.
   *
   * @return whether an element went to the ring or the overflow. That write is not in the total
   *     order of volatile accesses. So the caller must execute a full fence before it looks for an
   *     idle P or a sleeping M.
   */
  public boolean put(T item, boolean next) {
    T last = next ? exchangeRunNext(item) : item;
    if (last == null) {
      return false;
    }
    append(last);
    return true;
  }

  /**
   * Owner: writes {@code item} to the slot {@code i} places after the tail, for {@link #publish}.
   * The ring must have room for it.
   */
  void fill(int i, T item) {
    slots[(tailPlain() + i) & mask] = item;
  }

  /**
   * Owner: like {@link #fill(int, QueueNode)}, for the {@code n} elements of {@code items} from
   * {@code from}.
   */
  void fill(int i, @Nullable QueueNode<T>[] items, int from, int n) {
    int t = tailPlain() + i;
    for (int k = 0; k < n; k++) {
      slots[(t + k) & mask] = items[from + k];
    }
  }

  /** Owner: adds the {@code n} elements written by {@code fill} to the ring, in one step. */
  void publish(int n) {
    int t = tailPlain() + n;
    assert t - headAcquire() <= slots.length : "more elements than the ring has room for";
    tailRelease(t);
  }

  /** Any thread: returns the element in {@code runNext}, as a hint; null if that is empty. */
  public @Nullable Object next() {
    return runNextOpaque();
  }

  /**
   * Any thread: returns how many elements have left the ring, as a wrapping int. Two different
   * results show that elements were taken in between.
   */
  public int headIndex() {
    return headAcquire();
  }

  /**
   * Any thread: returns the number of elements in the ring. May be out of date at once, and too
   * high if elements are added and taken during the call.
   */
  public int ringSize() {
    int h = headAcquire();
    return tailAcquire() - h;
  }

  /**
   * Any thread: passes at most {@code most} elements of the ring to {@code seen}, oldest first. For
   * display only: some of them may have been taken meanwhile, and their slots may have been reused.
   */
  @SuppressWarnings("unchecked") // only the owner writes the slots
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

  /**
   * Owner: takes the element in {@code runNext}. Returns null if that is empty. May miss an element
   * that another thread is just offering: see {@link #offerNext}.
   */
  public @Nullable T takeNext() {
    return runNextOpaque() == null ? null : exchangeRunNext(null);
  }

  /**
   * Any thread: takes the element in {@code runNext}. Returns null if that is empty, or if another
   * thread takes or replaces the element first.
   */
  public @Nullable T pollNextShared() {
    T item = runNextVolatile();
    return item != null && casRunNextToNull(item) ? item : null;
  }

  /**
   * Any thread: puts {@code item} into {@code runNext} if that is empty, and returns true.
   * Otherwise returns false. The owner may have found {@code runNext} empty just before, and go to
   * sleep. So a caller other than the owner must ensure afterwards that a thread looks at this
   * queue again.
   */
  public boolean offerNext(T item) {
    // Reads first, because a compare-and-set that fails costs as much as one that succeeds.
    return runNext == null
        && RUN_NEXT.compareAndSet(this, (QueueNode<T>) null, (QueueNode<T>) item);
  }

  /**
   * Any thread: takes back {@code item}, which the caller has put into {@code runNext} by {@link
   * #offerNext}. Returns false if another thread has taken or displaced the item meanwhile.
   */
  public boolean withdrawNext(T item) {
    return casRunNextToNull(item);
  }

  /** Any thread: takes the oldest element of the ring. Returns null if the ring is empty. */
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

  /** Owner: takes the oldest element of the ring. Returns null if the ring is empty. */
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
   * Thief, which must own {@code into}: takes the older half of this ring, rounded up. Returns the
   * youngest of these elements, and moves the others to the ring of {@code into}. If this ring is
   * empty and {@code runNextToo} is set, takes and returns the element in {@code runNext} instead.
   * Returns null if there was nothing to take.
   *
   * @param into a queue of the same capacity, whose ring is at most half full
   */
  public @Nullable T stealInto(RunQueue<T> into, boolean runNextToo) {
    assert into.slots.length == slots.length : "rings of different capacity";
    int t = into.tailPlain();
    // The acquire load of into's head also ensures that thieves that have stolen from into no
    // longer read the slots that are free now.
    int used = t - into.headAcquire();
    assert used <= slots.length / 2 : "the thief's ring is more than half full";
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

  /**
   * Returns the last of the {@code n} elements that {@code grab} has copied to {@code into}, from
   * index {@code t}. Publishes the others: makes them part of the ring of {@code into}.
   */
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
   * Owner: clears the slots of elements that other threads have taken, so that the elements can be
   * collected. Those threads cannot clear the slots, because the owner may have reused them.
   */
  public void clearTakenSlots() {
    int h = headAcquire();
    int free = slots.length - (tailPlain() - h);
    int taken = h - clearedUpTo;
    for (int i = taken < 0 || taken > free ? free : taken; i > 0; i--) {
      clearSlot(h - i);
    }
    clearedUpTo = h;
  }

  /** Owner: returns how many elements its latest successful steal took. */
  public int lastStolen() {
    return lastStolen;
  }

  /** Any thread: whether there was no element at one moment during the call. */
  public boolean isEmpty() {
    // Why tail is read twice: put with next=true exchanges runNext, then appends the previous
    // element of runNext. If tail is read before that append, and runNext after a thief has emptied
    // it again, both look empty, although the queue never was. In that case tail has changed.
    for (; ; ) {
      int h = headAcquire();
      int t = tailAcquire();
      boolean none = runNext == null;
      if (t == tailAcquire()) {
        return h == t && none;
      }
    }
  }

  /** Any thread: returns the number of elements. May be out of date at once. */
  public int size() {
    int n = tailAcquire() - headAcquire();
    return Math.max(0, n) + (runNext == null ? 0 : 1);
  }

  /**
   * Owner: appends {@code item}; moves half of a full ring to the overflow, unless a thief makes
   * room first.
   */
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

  /**
   * Owner: moves the older half of the ring and then {@code item} to the overflow. Returns false,
   * with no effect, if the head is no longer {@code h}, because a thief has taken elements.
   */
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

  /**
   * Links the {@code n} elements from index {@code h}, then {@code item}, into a chain; returns the
   * first element of that chain.
   */
  private T linked(int h, int n, T item) {
    for (int i = 1; i < n; i++) {
      slot(h + i - 1).link = slot(h + i);
    }
    slot(h + n - 1).link = item;
    return slot(h);
  }

  /**
   * Takes the older half of this ring, rounded up, and copies the elements to {@code into} from
   * index {@code t}, without publishing them there. Returns the number of elements taken.
   */
  private int grab(RunQueue<T> into, int t) {
    int copied = 0;
    for (; ; ) {
      int h = headAcquire();
      int n = tailAcquire() - h;
      n -= n / 2;
      if (n > slots.length / 2) {
        continue; // n exceeds half a ring: head has moved before tail was read (rule F4)
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

  /**
   * Clears the slots from {@code from} to {@code to - 1}. They hold copies of elements that a
   * failed attempt of {@code grab} did not get.
   */
  private void clearSlots(int from, int to) {
    for (int i = from; i - to < 0; i++) {
      clearSlot(i);
    }
  }

  // Field accesses, named by their memory mode.

  private int headAcquire() {
    return (int) HEAD.getAcquire(this);
  }

  private boolean casHead(int expected, int next) {
    return HEAD.compareAndSet(this, expected, next);
  }

  /** Owner: reads tail with a plain access, because only the owner writes tail. */
  private int tailPlain() {
    return (int) TAIL.get(this);
  }

  private int tailAcquire() {
    return (int) TAIL.getAcquire(this);
  }

  private void tailRelease(int t) {
    TAIL.setRelease(this, t);
  }

  /**
   * Reads {@code runNext} without ordering (opaque).
   *
   * <ul>
   *   <li>The owner may trust null, because it sees its own latest write, and others only add an
   *       element by {@link #offerNext}. Null may miss such an offer, so the offering thread must
   *       ensure that this queue is looked at again.
   *   <li>The owner must not trust an element, because a thief may have taken it. It takes the
   *       element by an exchange, which returns null in that case.
   *   <li>For other threads each result is only a hint.
   * </ul>
   */
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
