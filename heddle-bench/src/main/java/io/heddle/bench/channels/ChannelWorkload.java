package io.heddle.bench.channels;

import java.util.Set;

/** The workloads on channels, selects and locks. */
@SuppressWarnings("ImmutableEnumChecker") // a method reference
public enum ChannelWorkload {
  PING_PONG("pingPong", "ping-pong, round trip", Twin::pingPong),
  BUFFERED("buffered", "buffered 128, item", Twin::buffered),
  MPMC("mpmc", "4×4, buffered 128, item", Twin::mpmc),
  SELECT("select", "select over 4, item", Twin::select),
  MUTEX("mutex", "mutex of 8, section", Twin::mutex),
  SKYNET("skynet", "skynet 10⁶, leaf", Twin::skynet);

  /** Runs a twin's workload of a given size and returns the result. */
  private interface Operation {
    long run(Twin twin, int n) throws Exception;
  }

  /** The name of the benchmark method in {@link Channels}. */
  final String method;

  final String title;
  private final Operation body;

  ChannelWorkload(String method, String title, Operation body) {
    this.method = method;
    this.title = title;
    this.body = body;
  }

  /** Runs the workload; throws if the result is wrong. */
  long run(Twin twin, int n) throws Exception {
    long got = body.run(twin, n);
    if (got != expected(n)) {
      throw new IllegalStateException(
          this + " of " + n + ": got " + got + ", expected " + expected(n));
    }
    return got;
  }

  /** The peers that have this workload. Jox has no lock. */
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
