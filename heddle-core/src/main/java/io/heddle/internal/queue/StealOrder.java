package io.heddle.internal.queue;

import java.util.stream.IntStream;

/**
 * The order in which a thief visits {@code count} victims: from a random start, in a pseudo-random order that visits
 * each exactly once (rule F3).
 *
 * <p>Usage: {@code int i = order.start(r); for (n = 0; n < count; n++, i = order.next(i, r)) …} with one random {@code
 * r} for the whole round.
 */
public final class StealOrder {
  /*
   * Steps of a size coprime to count visit every number modulo count once before they come back to the start.
   */
  private final int count;
  private final int[] coprimes;

  public StealOrder(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count " + count + ": allowed is 1 or more");
    }
    this.count = count;
    this.coprimes = IntStream.rangeClosed(1, count).filter(i -> gcd(i, count) == 1).toArray();
  }

  public int count() {
    return count;
  }

  /** The first to visit in round {@code random}, which is 0 or more. */
  public int start(int random) {
    return random % count;
  }

  /** The one to visit after {@code at} in round {@code random}. */
  public int next(int at, int random) {
    return (at + coprimes[random / count % coprimes.length]) % count;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
