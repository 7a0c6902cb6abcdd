package io.heddle.internal.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A lock-free set of small numbers: which Ps are idle. Every access is in the total order of volatile accesses. */
public final class IdleSet {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;

  /** For numbers from 0 to {@code limit - 1}. */
  public IdleSet(int limit) {
    words = new long[(limit + Long.SIZE - 1) / Long.SIZE];
  }

  public void add(int i) {
    long _ = (long) WORDS.getAndBitwiseOr(words, i / Long.SIZE, bit(i));
  }

  public void remove(int i) {
    long _ = (long) WORDS.getAndBitwiseAnd(words, i / Long.SIZE, ~bit(i));
  }

  /** The lowest member that is {@code from} or more, or -1. */
  public int next(int from) {
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

  public boolean contains(int i) {
    return (wordVolatile(i / Long.SIZE) & bit(i)) != 0;
  }

  /** How many; a guess by the time it is used, unless nothing moves. */
  public int size() {
    int n = 0;
    for (int w = 0; w < words.length; w++) {
      n += Long.bitCount(wordVolatile(w));
    }
    return n;
  }

  private long wordVolatile(int w) {
    return (long) WORDS.getVolatile(words, w);
  }

  private static long bit(int i) {
    return 1L << i; // the shift takes i modulo 64
  }
}
