package io.heddle.internal.queue;

import io.heddle.internal.note.RuntimeLock;
import org.jspecify.annotations.Nullable;

/**
 * The common interface of {@link GlobalQueue} and {@link BrokenGlobalQueue}, so that one scene can
 * test both.
 */
interface GlobalFifo {
  void putAll(Token head, Token tail, int n);

  void putAllFirst(Token head, Token tail, int n);

  @Nullable Token takeShare(int procs, int limit);

  Token swap(Token item);

  int size();

  boolean isEmpty();

  default void put(Token item) {
    putAll(item, item, 1);
  }

  default @Nullable Token take() {
    return takeShare(1, 1);
  }

  /** The real queue. */
  final class Sound implements GlobalFifo {
    // Uses chunks of two elements, so that their borders are crossed.
    private final GlobalQueue<Token> queue =
        new GlobalQueue<>(new RuntimeLock(Thread::yield), () -> new QueueNode[2]);

    @Override
    public void put(Token item) {
      queue.put(item);
    }

    @Override
    public void putAll(Token head, Token tail, int n) {
      queue.accept(head, tail, n);
    }

    @Override
    public void putAllFirst(Token head, Token tail, int n) {
      queue.putAllFirst(head, tail, n);
    }

    @Override
    public @Nullable Token take() {
      return queue.take();
    }

    @Override
    public @Nullable Token takeShare(int procs, int limit) {
      RunQueue<Token> ring = new RunQueue<>(16, (_, _, _) -> {});
      Token first = queue.takeShare(procs, limit, ring);
      Token last = first;
      for (Token next = ring.takeHead(); next != null; next = ring.takeHead()) {
        last.link = next;
        last = next;
      }
      return first;
    }

    @Override
    public Token swap(Token item) {
      return queue.swap(item);
    }

    @Override
    public int size() {
      return queue.size();
    }

    @Override
    public boolean isEmpty() {
      return queue.isEmpty();
    }
  }
}
