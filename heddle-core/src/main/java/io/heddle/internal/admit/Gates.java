package io.heddle.internal.admit;

import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;

/** The gates of one scheduler, by name. */
public final class Gates {
  private final ConcurrentSkipListMap<String, GateCounts> counts = new ConcurrentSkipListMap<>();

  /**
   * Makes a gate. Gates of the same name share their counts.
   *
   * @param max how many goroutines it admits at a time, at least 1
   * @param whenFull what follows if the gate is full after the wait
   * @param waitNanos how long a thread waits at the full gate; {@link Gate#FOREVER}: without a
   *     limit
   */
  public Gate open(String name, int max, Gate.WhenFull whenFull, long waitNanos) {
    return new Gate(countsOf(name), max, whenFull, waitNanos, new Semaphore(max, true));
  }

  GateCounts countsOf(String name) {
    return counts.computeIfAbsent(name, GateCounts::new);
  }

  /** Returns the counts of all gates that were ever open, in the order of their names. */
  public Collection<GateCounts> counts() {
    return counts.values();
  }
}
