package io.heddle.bench.suite;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Who is measured. */
enum Contender {
  HEDDLE("Heddle", "HEDDLE", 1_400),
  GO("Go", "", 2_800),
  JDK("JDK", "JUC", 1_400),
  KOTLIN("Kotlin", "KOTLIN", 800),
  JOX("Jox", "JOX", 1_400),
  TOKIO("Tokio", "", 500);

  final String title;

  /** How {@code TwinMain} calls it; "" if it does not run in a JVM. */
  final String jvmPeer;

  /** What one that waits takes of the machine's memory, about, by the row {@code parked}. */
  private final long bytes;

  Contender(String title, String jvmPeer, long bytes) {
    this.title = title;
    this.jvmPeer = jvmPeer;
    this.bytes = bytes;
  }

  /** Whether so many find room in so much memory, some of which is to be left. Yes if that is 0, for unknown. */
  boolean fits(int waiting, long memory) {
    return memory == 0 || waiting * bytes <= memory / 4 * 3;
  }

  boolean isJvm() {
    return !jvmPeer.isEmpty();
  }

  /** On the command line and in JSON. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Throws {@link IllegalArgumentException} that names those there are. */
  static Contender of(String id) {
    return Arrays.stream(values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("'" + id + "' is no contender: allowed are " + ids()));
  }

  static String ids() {
    return Arrays.stream(values()).map(Contender::id).collect(Collectors.joining(","));
  }
}
