package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * The common interface of {@link RunQueue} and {@link BrokenRunQueue}, so that one scene can test
 * both.
 */
interface Ring {
  /** Returns whether an element went to the ring. */
  boolean put(Token item, boolean next);

  /** Called by a thread other than the owner. */
  boolean offerNext(Token item);

  /** Called by the thread that offered it. */
  boolean withdrawNext(Token item);

  @Nullable Token takeNext();

  @Nullable Token takeHead();

  /** {@code into} must be of the same class. */
  @Nullable Token stealInto(Ring into, boolean runNextToo);

  boolean isEmpty();

  /** Makes rings of one kind. */
  interface Maker {
    Ring make(int capacity, Overflow<Token> overflow);
  }

  /**
   * The real queue. It is not a record because Lincheck cannot analyse records and would treat the
   * queue as thread-local.
   */
  final class Sound implements Ring {
    private final RunQueue<Token> queue;

    Sound(int capacity, Overflow<Token> overflow) {
      queue = new RunQueue<>(capacity, overflow);
    }

    @Override
    public boolean put(Token item, boolean next) {
      return queue.put(item, next);
    }

    @Override
    public boolean offerNext(Token item) {
      return queue.offerNext(item);
    }

    @Override
    public boolean withdrawNext(Token item) {
      return queue.withdrawNext(item);
    }

    @Override
    public @Nullable Token takeNext() {
      return queue.takeNext();
    }

    @Override
    public @Nullable Token takeHead() {
      return queue.takeHead();
    }

    @Override
    public @Nullable Token stealInto(Ring into, boolean runNextToo) {
      return queue.stealInto(((Sound) into).queue, runNextToo);
    }

    @Override
    public boolean isEmpty() {
      return queue.isEmpty();
    }
  }
}
