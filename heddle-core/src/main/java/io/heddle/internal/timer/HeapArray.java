package io.heddle.internal.timer;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The array heap inside a {@link TimerHeap}: a tree in which no entry comes before its parent. Its
 * order is by key (the time of a deadline), and by sequence number among equal keys. Only one
 * thread at a time may use this array.
 */
final class HeapArray {
  /*
   * Invariants:
   *   (key, sequence) of slot i is not before that of its parent, slot (i - 1) / 4
   *   the deadline in slot i has index i; the slots from size on hold null
   *
   * Keys and sequence numbers are copies. So sifting reads no deadline, and a deadline that changes
   * meanwhile cannot break the order of the heap.
   * resize allocates all new arrays before it replaces an old one, so it fails without an effect.
   *
   * Checked by: TimerHeapTest.
   */

  /**
   * The number of children of a slot, four as in Go. The heap has half the depth of a binary heap,
   * and the keys of four children fit in one or two cache lines.
   */
  private static final int ARITY = 4;

  /** The capacity of the first arrays, below which the heap does not shrink. */
  static final int MIN_CAPACITY = 16;

  /** The largest number of entries. With more entries the index of a child slot would overflow. */
  private static final int MAX_SIZE = 1 << 29;

  private static final long[] NO_LONGS = {};
  private static final @Nullable Deadline[] NO_DEADLINES = {};

  private final IntFunction<long[]> memory;
  private long[] keys = NO_LONGS;
  private long[] sequences = NO_LONGS;
  private @Nullable Deadline[] deadlines = NO_DEADLINES;
  private int size;

  HeapArray(IntFunction<long[]> memory) {
    this.memory = memory;
  }

  int size() {
    return size;
  }

  int capacity() {
    return deadlines.length;
  }

  long key(int i) {
    return keys[i];
  }

  long sequence(int i) {
    return sequences[i];
  }

  @SuppressWarnings("NullAway") // below size every slot is filled
  Deadline at(int i) {
    assert i < size : "slot " + i + " of " + size;
    return deadlines[i];
  }

  /**
   * Makes room for {@code n} more entries, or throws {@link OutOfMemoryError} without an effect.
   */
  void reserve(int n) {
    int capacity = capacity();
    if (n <= capacity - size) {
      return;
    }
    if (n > MAX_SIZE - size) {
      throw new OutOfMemoryError("a timer heap of more than " + MAX_SIZE + " entries");
    }
    int wanted = Math.max(MIN_CAPACITY, capacity);
    while (wanted - size < n) {
      wanted *= 2;
    }
    resize(wanted);
  }

  /** Shrinks the arrays by half if at most a quarter is used, and if there is memory for that. */
  void trim() {
    int capacity = capacity();
    if (capacity <= MIN_CAPACITY || size > capacity / 4) {
      return;
    }
    try {
      resize(capacity / 2);
    } catch (OutOfMemoryError e) {
      // No memory for the smaller arrays: the heap keeps its size.
    }
  }

  /** Adds {@code d}. The caller must have made room with {@link #reserve}. */
  void add(Deadline d, long key, long sequence) {
    siftUp(size++, d, key, sequence);
  }

  /** Moves the entry of {@code d} up to {@code key}, if that is earlier than its present key. */
  void advance(Deadline d, long key, long sequence) {
    int i = d.index;
    assert at(i) == d : "not in slot " + i;
    if (key < keys[i]) {
      siftUp(i, d, key, sequence);
    }
  }

  /** Moves the first entry down to {@code key}, which must not be earlier than its present key. */
  void postponeFirst(long key, long sequence) {
    siftDown(0, at(0), key, sequence);
  }

  void removeFirst() {
    int last = --size;
    Deadline d = deadlines[last];
    deadlines[last] = null;
    if (last > 0 && d != null) {
      siftDown(0, d, keys[last], sequences[last]);
    }
  }

  /** Overwrites slot {@code i} without sifting. {@link #keepFirst} must restore the order. */
  void set(int i, Deadline d, long key, long sequence) {
    keys[i] = key;
    sequences[i] = sequence;
    deadlines[i] = d;
    d.index = i;
  }

  /** Drops all but the first {@code n} slots and makes a heap of those. */
  void keepFirst(int n) {
    Arrays.fill(deadlines, n, size, null);
    size = n;
    for (int i = (n - 2) / ARITY; n > 1 && i >= 0; i--) {
      siftDown(i, at(i), keys[i], sequences[i]);
    }
  }

  /** Drops all entries and the arrays. */
  void clear() {
    size = 0;
    keys = NO_LONGS;
    sequences = NO_LONGS;
    deadlines = NO_DEADLINES;
  }

  private void siftUp(int from, Deadline d, long key, long sequence) {
    int i = from;
    while (i > 0) {
      int parent = (i - 1) / ARITY;
      if (!isBefore(key, sequence, parent)) {
        break;
      }
      move(parent, i);
      i = parent;
    }
    set(i, d, key, sequence);
  }

  private void siftDown(int from, Deadline d, long key, long sequence) {
    int i = from;
    for (int child = ARITY * i + 1; child < size; child = ARITY * i + 1) {
      int least = leastOf(child);
      if (isBefore(key, sequence, least)) {
        break;
      }
      move(least, i);
      i = least;
    }
    set(i, d, key, sequence);
  }

  /**
   * Returns the slot that comes first among {@code child} and its at most three siblings after it.
   */
  private int leastOf(int child) {
    int least = child;
    int end = Math.min(child + ARITY, size);
    for (int i = child + 1; i < end; i++) {
      if (isBefore(keys[i], sequences[i], least)) {
        least = i;
      }
    }
    return least;
  }

  private boolean isBefore(long key, long sequence, int i) {
    return key < keys[i] || (key == keys[i] && sequence < sequences[i]);
  }

  private void move(int from, int to) {
    set(to, at(from), keys[from], sequences[from]);
  }

  private void resize(int capacity) {
    long[] newKeys = memory.apply(capacity);
    long[] newSequences = memory.apply(capacity);
    @Nullable Deadline[] newDeadlines = new @Nullable Deadline[capacity];
    System.arraycopy(keys, 0, newKeys, 0, size);
    System.arraycopy(sequences, 0, newSequences, 0, size);
    System.arraycopy(deadlines, 0, newDeadlines, 0, size);
    keys = newKeys;
    sequences = newSequences;
    deadlines = newDeadlines;
  }

  void checkInvariants() {
    for (int i = 0; i < capacity(); i++) {
      Deadline d = deadlines[i];
      if (i >= size) {
        check(d == null, "an entry after the end", i);
      } else {
        check(d != null && d.index == i, "a wrong index", i);
        check(
            i == 0 || !isBefore(keys[i], sequences[i], (i - 1) / ARITY),
            "a key before the parent",
            i);
      }
    }
  }

  private static void check(boolean holds, String otherwise, int i) {
    if (!holds) {
      throw new AssertionError("timer heap: " + otherwise + ", in slot " + i);
    }
  }
}
