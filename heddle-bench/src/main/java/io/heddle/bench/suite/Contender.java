package io.heddle.bench.suite;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Who is measured. */
enum Contender {
  HEDDLE("Heddle", "HEDDLE"),
  GO("Go", ""),
  JDK("JDK", "JUC"),
  KOTLIN("Kotlin", "KOTLIN"),
  JOX("Jox", "JOX"),
  TOKIO("Tokio", "");

  final String title;

  /** How {@code TwinMain} calls it; "" if it does not run in a JVM. */
  final String jvmPeer;

  Contender(String title, String jvmPeer) {
    this.title = title;
    this.jvmPeer = jvmPeer;
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
