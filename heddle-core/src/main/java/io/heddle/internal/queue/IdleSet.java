package io.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock-free set of small numbers: the numbers of the idle Ps. Every access is volatile, and so in
 * the total order of volatile accesses. The proof that no wakeup is lost relies on that order (rule
 * F6).
 */
public final class IdleSet {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final AtomicInteger size = new AtomicInteger();

  /** Creates an empty set for numbers from 0 to {@code limit - 1}. */
  public IdleSet(int limit) {
    words = new long[(limit + Long.SIZE - 1) / Long.SIZE];
  }

  /** Adds {@code i}; no effect if it is a member. */
  public void add(int i) {
    long before = (long) WORDS.getAndBitwiseOr(words, i / Long.SIZE, bit(i));
    if ((before & bit(i)) == 0) {
      size.incrementAndGet();
    }
  }

  /** Removes {@code i}; no effect if it is not a member. */
  public void remove(int i) {
    long before = (long) WORDS.getAndBitwiseAnd(words, i / Long.SIZE, ~bit(i));
    if ((before & bit(i)) != 0) {
      size.decrementAndGet();
    }
  }

  /** Returns the lowest member that is at least {@code from}; -1 if there is none. */
  public int next(int from) {
    if (size() == 0) {
      return -1;
    }
    int w = from / Long.SIZE;
    if (w >= words.length) {
      return -1;
    }
    long word = wordVolatile(w) & (-1L << from);
    while (word == 0) {
      if (++w == words.length) {
        return -1;
      }
      word = wordVolatile(w);
    }
    return w * Long.SIZE + Long.numberOfTrailingZeros(word);
  }

  /** Whether {@code i} is a member at this moment. */
  public boolean contains(int i) {
    return (wordVolatile(i / Long.SIZE) & bit(i)) != 0;
  }

  /**
   * Returns the number of members. Every {@code add} or {@code remove} that has returned is
   * counted. One that is still running may be counted or not.
   */
  public int size() {
    return size.get();
  }

  private long wordVolatile(int w) {
    return (long) WORDS.getVolatile(words, w);
  }

  private static long bit(int i) {
    return 1L << i; // the shift takes i modulo 64
  }
}
