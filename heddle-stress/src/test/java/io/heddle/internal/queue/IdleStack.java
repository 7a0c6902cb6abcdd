package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** What {@link IdleList} and {@link BrokenIdleList} have in common, so that one scene can try both. */
interface IdleStack {
  void push(Token item);

  @Nullable Token pop();

  boolean remove(Token item);

  /** The real one. */
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
