package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** A numbered element; numbers start at 1, so that 0 means none. */
final class Token extends QueueNode<Token> {
  final int id;

  Token(int id) {
    this.id = id;
  }

  static int id(@Nullable Token token) {
    return token == null ? 0 : token.id;
  }

  /** The numbers of a chain as digits, in order; 0 if it is empty. */
  static int digits(@Nullable Token chain) {
    int digits = 0;
    for (Token token = chain; token != null; token = token.unlink()) {
      digits = digits * 10 + token.id;
    }
    return digits;
  }
}
