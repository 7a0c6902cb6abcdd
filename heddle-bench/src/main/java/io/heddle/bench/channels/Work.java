package io.heddle.bench.channels;

import java.util.Set;

/** What is measured. */
@SuppressWarnings("ImmutableEnumChecker") // a method reference
public enum Work {
  PING_PONG("pingPong", "ping-pong, round trip", Twin::pingPong),
  BUFFERED("buffered", "buffered 128, item", Twin::buffered),
  MPMC("mpmc", "4×4, buffered 128, item", Twin::mpmc),
  SELECT("select", "select over 4, item", Twin::select),
  MUTEX("mutex", "mutex of 8, section", Twin::mutex),
  SKYNET("skynet", "skynet 10⁶, leaf", Twin::skynet);

  /** Of the twin's work: how much of it is asked for, and what came out. */
  private interface Body {
    long run(Twin twin, int n) throws Exception;
  }

  /** The benchmark's method in {@link Channels}. */
  final String method;

  final String title;
  private final Body body;

  Work(String method, String title, Body body) {
    this.method = method;
    this.title = title;
    this.body = body;
  }

  /** All of it, with an error if the result is wrong. */
  long run(Twin twin, int n) throws Exception {
    long got = body.run(twin, n);
    if (got != expected(n)) {
      throw new IllegalStateException(
          this + " of " + n + ": got " + got + ", expected " + expected(n));
    }
    return got;
  }

  /** Who has it. Jox has no lock. */
  Set<Peer> peers() {
    return this == MUTEX ? Set.of(Peer.HEDDLE, Peer.KOTLIN, Peer.JUC) : Set.of(Peer.values());
  }

  private long expected(int n) {
    return switch (this) {
      case PING_PONG, BUFFERED -> sumOfItems(n);
      case MPMC, SELECT -> Twin.WORKERS * sumOfItems(n / Twin.WORKERS);
      case MUTEX -> n;
      case SKYNET -> (long) n * (n - 1) / 2;
    };
  }

  private static long sumOfItems(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i & 127;
    }
    return sum;
  }
}
