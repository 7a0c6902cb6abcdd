package io.heddle.bench.channels;

/** A counter protected by a lock. */
final class Counter {
  long value;
}
