package io.heddle.internal.queue;

import org.jspecify.annotations.Nullable;

/** A numbered element; the numbers start at 1, so that 0 can say "none". */
final class Token extends QueueNode<Token> {
  final int id;

  Token(int id) {
    this.id = id;
  }

  static int id(@Nullable Token token) {
    return token == null ? 0 : token.id;
  }

  /** Takes a chain apart: its numbers as digits, in order; 0 if there is none. */
  static int digits(@Nullable Token chain) {
    int digits = 0;
    for (Token token = chain; token != null; token = token.unlink()) {
      digits = digits * 10 + token.id;
    }
    return digits;
  }
}
