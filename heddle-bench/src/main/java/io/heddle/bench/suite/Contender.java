package io.heddle.bench.suite;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The runtimes that are compared. */
enum Contender {
  HEDDLE("Heddle", "HEDDLE", 1_400),
  GO("Go", "", 2_800),
  JDK("JDK", "JUC", 1_400),
  KOTLIN("Kotlin", "KOTLIN", 800),
  JOX("Jox", "JOX", 1_400),
  TOKIO("Tokio", "", 500);

  final String title;

  /** The name of the peer in {@code TwinMain}; "" if the contender does not run in a JVM. */
  final String jvmPeer;

  /** The approximate memory of one waiting task in bytes, from the row {@code parked}. */
  private final long bytes;

  Contender(String title, String jvmPeer, long bytes) {
    this.title = title;
    this.jvmPeer = jvmPeer;
    this.bytes = bytes;
  }

  /**
   * Whether {@code n} waiting tasks fit into {@code memory} bytes with some reserve. True if the
   * memory is 0, which means unknown.
   */
  boolean fits(int waiting, long memory) {
    return memory == 0 || waiting * bytes <= memory / 4 * 3;
  }

  boolean isJvm() {
    return !jvmPeer.isEmpty();
  }

  /** The name on the command line and in JSON. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the contender with this name; throws {@link IllegalArgumentException} that lists the
   * names.
   */
  static Contender of(String id) {
    return Arrays.stream(values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + id + "' is not a contender: allowed are " + ids()));
  }

  static String ids() {
    return Arrays.stream(values()).map(Contender::id).collect(Collectors.joining(","));
  }
}
