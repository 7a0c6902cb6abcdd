package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * The common interface of {@link IdleList} and {@link BrokenIdleList}, so that one scene can test
 * both.
 */
interface IdleStack {
  void push(Token item);

  @Nullable Token pop();

  boolean remove(Token item);

  /** The real list. */
  final class Sound implements IdleStack {
    private final IdleList<Token> list = new IdleList<>();

    @Override
    public void push(Token item) {
      list.push(item);
    }

    @Override
    public @Nullable Token pop() {
      return list.pop();
    }

    @Override
    public boolean remove(Token item) {
      return list.remove(item);
    }
  }
}
