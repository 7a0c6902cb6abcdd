package io.heddle.internal.poll;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free table of the watched descriptors by number. It grows and never shrinks, because the
 * operating system keeps the numbers of descriptors small.
 */
final class PollTable {
  /** The number of entries in each array of the table, which is an array of arrays. */
  private static final int PIECE = 1024;

  /**
   * The arrays of the table. To grow, the table copies this array of arrays, and so keeps the
   * entries.
   */
  private record Pieces(AtomicReferenceArray<@Nullable PollDesc>[] all) {
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    static Pieces of(int n) {
      return new Pieces(new AtomicReferenceArray[n]);
    }

    Pieces grown(int n) {
      Pieces grown = of(n);
      System.arraycopy(all, 0, grown.all, 0, all.length);
      for (int i = all.length; i < n; i++) {
        grown.all[i] = new AtomicReferenceArray<>(PIECE);
      }
      return grown;
    }
  }

  private final AtomicReference<Pieces> pieces = new AtomicReference<>(Pieces.of(0));

  @Nullable PollDesc get(int fd) {
    AtomicReferenceArray<@Nullable PollDesc>[] all = pieces.get().all;
    int piece = fd / PIECE;
    return piece < all.length ? all[piece].get(fd % PIECE) : null;
  }

  void set(int fd, @Nullable PollDesc desc) {
    reserve(fd);
    pieces.get().all[fd / PIECE].set(fd % PIECE, desc);
  }

  /** Allocates the memory for {@code fd}, so that a later {@link #set} for it does not allocate. */
  void reserve(int fd) {
    for (Pieces old = pieces.get(); fd / PIECE >= old.all.length; old = pieces.get()) {
      boolean _ = pieces.compareAndSet(old, old.grown(fd / PIECE + 1));
    }
  }
}
