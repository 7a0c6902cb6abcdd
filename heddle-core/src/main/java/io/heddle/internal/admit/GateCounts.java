package io.heddle.internal.admit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what happens at the gates of one name in one scheduler. The counts outlive the gates,
 * because a counter in a metric must not decrease.
 */
public final class GateCounts {
  private final String name;

  /** The sum of the limits of the open gates. */
  final AtomicLong max = new AtomicLong();

  final AtomicLong running = new AtomicLong();
  final AtomicLong waiting = new AtomicLong();
  final AtomicLong admitted = new AtomicLong();
  final AtomicLong waited = new AtomicLong();
  final AtomicLong rejected = new AtomicLong();
  final AtomicLong inCaller = new AtomicLong();

  GateCounts(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  /** Returns the sum of the limits of the open gates. */
  public long max() {
    return max.get();
  }

  /** Returns the number of admitted goroutines that have not ended. */
  public long running() {
    return running.get();
  }

  /** Returns the number of threads that wait to start a goroutine. */
  public long waiting() {
    return waiting.get();
  }

  public long admitted() {
    return admitted.get();
  }

  /**
   * Returns how often a thread had to wait at a gate. Waits that ended without a place count, too.
   */
  public long waited() {
    return waited.get();
  }

  public long rejected() {
    return rejected.get();
  }

  /** Returns how often a thread ran a task itself because the gate was full. */
  public long inCaller() {
    return inCaller.get();
  }
}
