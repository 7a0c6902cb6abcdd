package io.heddle.internal.queue;

import java.util.stream.IntStream;

/**
 * The order in which a thief visits {@code count} victims: from a random start, in a pseudo-random
 * order that visits each exactly once (rule F3).
 *
 * <p>One visit to all victims is a <i>round</i>. Usage: {@code int i = order.start(r); for (n = 0;
 * n < count; n++, i = order.next(i, r)) …} with one random {@code r} per round.
 */
public final class StealOrder {
  /*
   * Steps of a size that is coprime to count visit every number modulo count once before they
   * return to the start.
   */
  private final int count;
  private final int[] coprimes;

  /** Creates the order for {@code count} victims, at least 1. */
  public StealOrder(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count " + count + ": allowed is 1 or more");
    }
    this.count = count;
    this.coprimes = IntStream.rangeClosed(1, count).filter(i -> gcd(i, count) == 1).toArray();
  }

  /** Returns the number of victims. */
  public int count() {
    return count;
  }

  /**
   * Returns the first victim of the round that {@code random} determines. {@code random} must not
   * be negative.
   */
  public int start(int random) {
    return random % count;
  }

  /** Returns the victim after {@code at} in the round that {@code random} determines. */
  public int next(int at, int random) {
    return (at + coprimes[random / count % coprimes.length]) % count;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
