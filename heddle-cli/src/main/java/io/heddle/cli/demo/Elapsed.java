package io.heddle.cli.demo;

import java.util.Locale;

/** A measured duration, printed in a suitable unit. */
record Elapsed(long nanos) implements Comparable<Elapsed> {
  @Override
  public int compareTo(Elapsed other) {
    return Long.compare(nanos, other.nanos);
  }

  @Override
  public String toString() {
    if (nanos >= 10_000_000_000L) {
      return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
    if (nanos >= 1_000_000) {
      return String.format(Locale.ROOT, "%,d ms", nanos / 1_000_000);
    }
    return String.format(Locale.ROOT, "%,d us", nanos / 1_000);
  }
}
