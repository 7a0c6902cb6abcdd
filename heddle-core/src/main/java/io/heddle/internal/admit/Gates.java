package io.heddle.internal.admit;

import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;

/** Makes the gates of one scheduler, and keeps their counts by name. */
public final class Gates {
  private final ConcurrentSkipListMap<String, GateCounts> counts = new ConcurrentSkipListMap<>();

  /**
   * Makes a gate. Gates of the same name share their counts.
   *
   * @param name the name, under which the gate is counted
   * @param max how many goroutines the gate admits at a time, at least 1
   * @param whenFull what a thread does if the gate is still full after the wait
   * @param waitNanos how long a thread waits at the full gate; 0: not at all; {@link Gate#FOREVER}:
   *     without a time limit
   */
  public Gate open(String name, int max, Gate.WhenFull whenFull, long waitNanos) {
    return new Gate(countsOf(name), max, whenFull, waitNanos, new Semaphore(max, true));
  }

  GateCounts countsOf(String name) {
    return counts.computeIfAbsent(name, GateCounts::new);
  }

  /** Returns the counts of all names of gates that were ever open, in alphabetical order. */
  public Collection<GateCounts> counts() {
    return counts.values();
  }
}
