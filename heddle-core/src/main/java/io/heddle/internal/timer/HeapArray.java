package io.heddle.internal.timer;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The array heap inside a {@link TimerHeap}, for one thread at a time: earliest key first, then least sequence number. */
final class HeapArray {
  /*
   * Invariants:
   *   (key, sequence) of a slot is not before that of its parent, slot (i - 1) / 4
   *   the deadline in slot i has index i; the slots from size on hold null
   *
   * Keys and sequence numbers are copies: sifting reads no deadline, and what a deadline says meanwhile cannot break the
   * heap's order. Growing and shrinking make all arrays before they let go of one.
   *
   * Checked by: TimerHeapTest.
   */

  /** As in Go: half the depth of a binary heap, and the keys of four children lie in a cache line or two. */
  private static final int ARITY = 4;

  /** The first arrays; smaller ones are not worth shrinking to. */
  static final int LEAST = 16;

  /** More would overflow the index of a child. */
  private static final int MOST = 1 << 29;

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

  /** Makes room for {@code n} more, or throws {@link OutOfMemoryError} and has changed nothing. */
  void reserve(int n) {
    int capacity = capacity();
    if (n <= capacity - size) {
      return;
    }
    if (n > MOST - size) {
      throw new OutOfMemoryError("a timer heap of more than " + MOST + " entries");
    }
    int wanted = Math.max(LEAST, capacity);
    while (wanted - size < n) {
      wanted *= 2;
    }
    resize(wanted);
  }

  /** Gives memory back if three quarters of it are not used. */
  void trim() {
    int capacity = capacity();
    if (capacity <= LEAST || size > capacity / 4) {
      return;
    }
    try {
      resize(capacity / 2);
    } catch (OutOfMemoryError e) {
      // Then it stays as large as it is.
    }
  }

  /** Adds one; there is room. */
  void add(Deadline d, long key, long sequence) {
    siftUp(size++, d, key, sequence);
  }

  /** Moves one to where {@code key} belongs, if that is earlier than its own. */
  void advance(Deadline d, long key, long sequence) {
    int i = d.index;
    assert at(i) == d : "not in slot " + i;
    if (key < keys[i]) {
      siftUp(i, d, key, sequence);
    }
  }

  /** Moves the first to where this belongs, which is not before. */
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

  /** Overwrites slot {@code i}: order is restored by {@link #keepFirst}. */
  void set(int i, Deadline d, long key, long sequence) {
    keys[i] = key;
    sequences[i] = sequence;
    deadlines[i] = d;
    d.index = i;
  }

  /** Forgets all but the first {@code n} slots, and makes a heap of those. */
  void keepFirst(int n) {
    Arrays.fill(deadlines, n, size, null);
    size = n;
    for (int i = (n - 2) / ARITY; n > 1 && i >= 0; i--) {
      siftDown(i, at(i), keys[i], sequences[i]);
    }
  }

  /** Forgets all, and gives the memory back. */
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

  /** The one to come first of {@code child} and its up to three siblings behind it. */
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
        check(d == null, "something behind the end", i);
      } else {
        check(d != null && d.index == i, "an index that is wrong", i);
        check(i == 0 || !isBefore(keys[i], sequences[i], (i - 1) / ARITY), "too low", i);
      }
    }
  }

  private static void check(boolean holds, String otherwise, int i) {
    if (!holds) {
      throw new AssertionError("timer heap: " + otherwise + ", in slot " + i);
    }
  }
}
