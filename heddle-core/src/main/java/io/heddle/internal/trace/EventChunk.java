package io.heddle.internal.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A piece of a track: words that one thread adds and another reads meanwhile. */
final class EventChunk {
  /*
   * Ordering: the owner writes words and names, then the size (release), and, when it goes on to another chunk, next
   * (release); the writer reads the size (acquire) before the words, and next (acquire) before the size it takes for the
   * last. It gives a chunk back when next is there, and the owner does not touch it from then on.
   */
  static final int WORDS = 512;

  /** Words that the events of one call, and what a chunk begins with, take at most. */
  static final int ROOM = 8;

  /** Fewer than the starts that fit, of goroutines without names: a chunk ends early where all have one. */
  static final int NAMES = 128;

  private static final VarHandle SIZE;
  private static final VarHandle NEXT;

  static {
    try {
      SIZE = MethodHandles.lookup().findVarHandle(EventChunk.class, "size", int.class);
      NEXT = MethodHandles.lookup().findVarHandle(EventChunk.class, "next", EventChunk.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long[] words = new long[WORDS];
  final @Nullable Object[] names = new Object[NAMES];

  private int size;
  private @Nullable EventChunk next;

  void sizeRelease(int n) {
    SIZE.setRelease(this, n);
  }

  int sizeAcquire() {
    return (int) SIZE.getAcquire(this);
  }

  void nextRelease(EventChunk chunk) {
    NEXT.setRelease(this, chunk);
  }

  @Nullable EventChunk nextAcquire() {
    return (EventChunk) NEXT.getAcquire(this);
  }

  /** For the writer, when the owner has gone on. */
  void clear() {
    Arrays.fill(names, null);
    next = null;
    size = 0;
  }
}
