package io.heddle.internal.admit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides whether new work may begin, by how long goroutines wait for a P. The waits are measured
 * with probes, so the scheduler's own code does nothing for this decision.
 */
public final class DelayGate {
  /*
   * A probe is a goroutine that only records how long it waited for a P. It is queued at the tail
   * of the global queue. Its wait is the time during which no P ran out of other work: the standing
   * queue of CoDel. An asker is a thread that calls admits, that is, asks whether new work may
   * begin. Only askers launch probes, so an idle program stays idle.
   *
   * States of launchedAt:
   *   0                no probe waits
   *   any other value  a probe waits; the value is the time of its launch
   * One field holds both facts. With two fields, an asker could combine "a probe waits" with the
   * launch time of an earlier probe. On an idle server that launch may be long ago.
   *
   * New work is shed (refused) if one of two conditions holds:
   * - A probe has waited for longer than the target, and still waits. This notices an overload
   *   before the probe runs.
   * - The last probe that ran had waited for longer than the target. This wait counts until the
   *   next probe runs, but at most for STALE_TARGETS targets. An older wait says nothing about the
   *   present.
   *
   * field        writer                                              readers         mode
   * launchedAt   the asker that launches (CAS); the probe            askers, probe   volatile
   * lastWait     the probe, before lastRunAt                         askers          volatile
   * lastRunAt    the probe, before it clears launchedAt              askers          volatile
   * An asker may combine lastWait and lastRunAt of two different probes. Then it decides by a wait
   * that is some milliseconds old, which is harmless.
   *
   * Rejected, after a simulation: CoDel's control law and a gradient limit. See decision 26 in
   * docs/decisions.
   *
   * Checked by: DelayGateTest, OverloadTest, OverloadSimulationTest.
   */

  /** The target divided by this number is the shortest time between two probes. */
  private static final int PROBES_PER_TARGET = 4;

  /**
   * The wait of the last probe is ignored if the probe ran this number of targets ago or earlier.
   * Such a wait says nothing about the present.
   */
  private static final int STALE_TARGETS = 4;

  private final long target;
  private final LongSupplier clock;
  private final Consumer<Runnable> launcher;

  /** When the probe that waits was launched; 0 if no probe waits. */
  private final AtomicLong launchedAt = new AtomicLong();

  private volatile long lastWait;
  private volatile long lastRunAt;

  private final AtomicLong admitted = new AtomicLong();
  private final AtomicLong shed = new AtomicLong();

  /**
   * Makes a gate.
   *
   * @param target the longest time in nanoseconds that goroutines may wait for a P before new work
   *     is refused
   * @param clock returns the time in nanoseconds
   * @param launcher queues a goroutine that runs a task, after all goroutines that wait already
   */
  public DelayGate(long target, LongSupplier clock, Consumer<Runnable> launcher) {
    this.target = target;
    this.clock = clock;
    this.launcher = launcher;
    lastRunAt = clock.getAsLong() - STALE_TARGETS * target;
  }

  /** Returns whether a piece of new work may begin, and counts it. */
  public boolean admits() {
    long now = clock.getAsLong();
    boolean sheds = delay(now) > target;
    probe(now);
    (sheds ? shed : admitted).incrementAndGet();
    return !sheds;
  }

  public long targetNanos() {
    return target;
  }

  /**
   * Returns how long goroutines wait for a P at present, in nanoseconds. Returns 0 if no probe
   * waits and none ran lately, because no thread has called {@link #admits} lately.
   */
  public long delayNanos() {
    return delay(clock.getAsLong());
  }

  public long admitted() {
    return admitted.get();
  }

  public long shed() {
    return shed.get();
  }

  private long delay(long now) {
    long launched = launchedAt.get();
    long age = launched == 0 ? 0 : now - launched;
    long last = now - lastRunAt < STALE_TARGETS * target ? lastWait : 0;
    return Math.max(age, last);
  }

  private void probe(long now) {
    long lastLaunch = lastRunAt - lastWait;
    if (now - lastLaunch < target / PROBES_PER_TARGET || !tryBegin(now)) {
      return;
    }
    try {
      launcher.accept(this::hasRun);
    } catch (Throwable t) {
      launchedAt.set(0);
      throw t;
    }
  }

  /** Moves from "no probe waits" to "a probe waits"; returns false if a probe waits already. */
  boolean tryBegin(long now) {
    return launchedAt.compareAndSet(0, now == 0 ? 1 : now);
  }

  /** Called by the probe when it runs. */
  private void hasRun() {
    long now = clock.getAsLong();
    lastWait = now - launchedAt.get();
    lastRunAt = now;
    launchedAt.set(0);
  }
}
