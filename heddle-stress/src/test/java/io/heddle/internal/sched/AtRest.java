package io.heddle.internal.sched;

import io.heddle.internal.inspect.Invariants;
import java.util.stream.Stream;

/** Checks whether a scheduler has come to rest, and what is left in it. */
public final class AtRest {
  private final Sched sched;

  /** Checks the scheduler of {@code owner}. */
  public AtRest(Object owner) {
    this.sched = Sched.of(owner);
  }

  /** What is still active or left; empty if nothing is. */
  public String left() {
    int goroutines = sched.goroutines();
    int timers = timers();
    long waiters = sched.net.waiters();
    SchedCounters counters = SchedCounters.of(sched);
    boolean busy =
        counters.idleProcs() != sched.procs()
            || counters.idleThreads() != counters.threads()
            || counters.spinningThreads() != 0;
    return goroutines == 0 && timers == 0 && waiters == 0 && !busy
        ? ""
        : "scheduler %s: %d goroutines, %d timers, %d waiting for sockets, %d of %d Ps and %d of %d Ms idle, %d spinning"
            .formatted(
                sched.name(),
                goroutines,
                timers,
                waiters,
                counters.idleProcs(),
                sched.procs(),
                counters.idleThreads(),
                counters.threads(),
                counters.spinningThreads());
  }

  /**
   * Checks the invariants of a scheduler at rest.
   *
   * @throws IllegalStateException if one is violated
   */
  public void check() {
    Invariants.check(sched);
  }

  private int timers() {
    return Stream.of(sched.world.all()).mapToInt(p -> p.timers.live()).sum();
  }
}
