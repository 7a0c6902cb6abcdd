package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** What {@link RunQueue} and {@link BrokenRunQueue} have in common, so that one scene can try both. */
interface Ring {
  /** Whether one went to the ring. */
  boolean put(Token item, boolean next);

  /** By somebody who is not the owner. */
  boolean offerNext(Token item);

  /** By who offered it. */
  boolean withdrawNext(Token item);

  @Nullable Token takeNext();

  @Nullable Token takeHead();

  /** {@code into} is of the same class. */
  @Nullable Token stealInto(Ring into, boolean runNextToo);

  boolean isEmpty();

  /** Makes rings of one kind. */
  interface Maker {
    Ring make(int capacity, Overflow<Token> overflow);
  }

  /** The real one. No record: Lincheck cannot look into those, and would take the queue for a thread's own. */
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
