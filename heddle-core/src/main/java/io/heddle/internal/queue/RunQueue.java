package io.heddle.internal.queue;

import io.heddle.internal.base.Handles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The runnable elements of one owner: a ring, and {@code runNext}, a slot for the element that runs
 * next (rules Q1 to Q4, Q8, F4).
 *
 * <p>The Javadoc of each method begins with the role that may call it:
 *
 * <ul>
 *   <li><b>Owner</b>, one thread at a time: {@link #put}, {@link #takeNext}, {@link #takeHead},
 *       {@link #clearTakenSlots}, {@link #lastStolen}. Ownership may pass to another thread, if
 *       that orders the old owner's accesses before the new owner's.
 *   <li><b>Thief</b>, any thread that owns the target queue: {@link #stealInto}.
 *   <li><b>Any thread</b>, to take or offer: {@link #pollNextShared}, {@link #pollHeadShared},
 *       {@link #offerNext}, {@link #withdrawNext}; to observe: {@link #isEmpty}, {@link #size},
 *       {@link #ringSize}, {@link #headIndex}, {@link #next}, {@link #peek}.
 * </ul>
 */
public final class RunQueue<T extends QueueNode<T>> {
  /*
   * Invariants:
   *   0 <= tail - head <= capacity, as wrapping ints
   *   slots [head, tail) hold the elements, oldest first; others hold null or a taken element
   *   each element is in one slot or in runNext, once
   *
   * Fields; any thread reads all of them:
   *   tail     written by the owner; release, acquire
   *   slots    written by the owner; plain, ordered by the accesses to tail and head
   *   head     written by the owner and thieves; compare-and-set, acquire
   *   runNext  written by the owner (any value), by thieves (to null), by any thread that offers
   *            (from null); exchange or compare-and-set, volatile; opaque for hints
   *
   * Ordering:
   *   tailRelease (owner) pairs with tailAcquire (thief): the thief sees the slots below tail.
   *   casHead (thief) pairs with headAcquire (owner): the thief's reads of the slots come before
   *   the owner writes them again.
   *   runNext is exchanged with volatile semantics. A put there is in the total order of volatile
   *   accesses, so a put followed by a volatile read needs no fence in between. The sleep dance
   *   relies on it (rule F6).
   *   An element that put moves from runNext to the ring is not in that order, because tail is only
   *   released. If a thief takes the new runNext, a sleeper may see neither of the two elements.
   *   Therefore put returns whether an element went to the ring.
   *
   * No ABA in head: a thief's casHead(h, h + n) could succeed wrongly only if head had come back to
   * h. That takes 2^32 takes between two instructions of the thief. The slots that the thief read
   * for that h were written before the tail that it read, and only by the owner.
   * ABA in runNext is harmless: if the slot holds the same element again when a thief's
   * compare-and-set executes, the thief takes an element that is there at that moment.
   *
   * Differences from Go: the owner clears each slot that it takes, so that the ring does not keep a
   * dead element reachable. Other threads must not clear slots. Elements that they took, at most a
   * ring's worth, stay reachable until the owner writes their slots again or calls clearTakenSlots.
   *
   * Rejected: an Owner and a Shared view as types. The calls from the scheduling loop would become
   * interface calls.
   *
   * Checked by: RunQueueTest, RunQueueLincheckTest, RunQueueStress (jcstress, with broken twins).
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
   * occupant goes to the tail of the ring; otherwise {@code item} itself goes to the tail. If the
   * ring is full, its older half and then the element without room move to the overflow.
   *
   * @return whether an element went to the ring. That step is not in the total order of volatile
   *     accesses, so a caller that then looks for a sleeping M must execute a full fence in
   *     between.
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

  /** Any thread: returns the element in {@code runNext} at this moment, or null. A hint. */
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

  /** Any thread: returns the number of elements in the ring. May be out of date at once. */
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

  /** Owner: takes the element in {@code runNext}, or returns null. */
  public @Nullable T takeNext() {
    return runNextOpaque() == null ? null : exchangeRunNext(null);
  }

  /** Any thread: takes the element in {@code runNext}, or returns null. */
  public @Nullable T pollNextShared() {
    T item = runNextVolatile();
    return item != null && casRunNextToNull(item) ? item : null;
  }

  /**
   * Any thread: puts {@code item} into {@code runNext} if that is empty; otherwise returns false. A
   * caller other than the owner must make the owner look again afterwards: the owner may have found
   * {@code runNext} empty just before.
   */
  public boolean offerNext(T item) {
    // The read avoids a compare-and-set that would fail, which costs as much as a successful one.
    return runNext == null
        && RUN_NEXT.compareAndSet(this, (QueueNode<T>) null, (QueueNode<T>) item);
  }

  /**
   * Any thread: takes back {@code item}, which it has offered; false if another thread has taken
   * it.
   */
  public boolean withdrawNext(T item) {
    return casRunNextToNull(item);
  }

  /** Any thread: takes the oldest element of the ring, or returns null. */
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

  /** Owner: takes the oldest element of the ring, or returns null. */
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
   * Thief, which must own {@code into}: takes half of this ring, rounded up. The youngest of these
   * elements is returned, the others go to the ring of {@code into}. If this ring is empty and
   * {@code runNextToo} is set, takes and returns the element in {@code runNext}. Returns null if
   * there was nothing to take.
   *
   * @param into a queue of the same capacity, whose ring is at most half full
   */
  public @Nullable T stealInto(RunQueue<T> into, boolean runNextToo) {
    assert into.slots.length == slots.length : "rings of different capacity";
    int t = into.tailPlain();
    // The acquire also ensures that earlier thieves of into no longer read its free slots.
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
   * Owner: clears the slots of elements that other threads have taken. Those threads cannot do it
   * themselves, because the owner may have written the slots again.
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
    // An owner that puts with next=true exchanges runNext, then appends the previous occupant. In
    // between, the old tail and an empty runNext could be read at two different moments. Therefore
    // tail must be the same before and after runNext is read.
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
   * Moves the older half of the ring and {@code item} to the overflow. Returns false, with no
   * effect, if a thief has moved the head meanwhile.
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
   * Takes half of this ring and copies the elements to {@code into} from index {@code t}, without
   * publishing them there. Returns the number of elements taken.
   */
  private int grab(RunQueue<T> into, int t) {
    int copied = 0;
    for (; ; ) {
      int h = headAcquire();
      int n = tailAcquire() - h;
      n -= n / 2;
      if (n > slots.length / 2) {
        continue; // F4: head and tail were read at different moments, so the size is wrong
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

  /** Clears the slots of [from, to): copies of an attempt whose compare-and-set failed. */
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
   * Reads {@code runNext} without ordering. For the owner, a null is out of date only if another
   * thread offers an element right now. For other threads the result is only a hint.
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
