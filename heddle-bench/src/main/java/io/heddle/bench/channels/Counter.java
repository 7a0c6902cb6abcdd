package io.heddle.bench.channels;

/** What a lock protects. */
final class Counter {
  long value;
}
