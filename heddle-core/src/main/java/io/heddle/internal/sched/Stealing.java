package io.heddle.internal.sched;

import org.jspecify.annotations.Nullable;

/** Takes work from other Ps (rule F3). */
final class Stealing {
  /** Go's number of rounds. Only the last may take what another P is about to run. */
  private static final int ROUNDS = 4;

  /**
   * How long to leave a running P its {@code runNext}, in nanoseconds: a goroutine that is about to block hands over to
   * the one it has just woken, and taking that one away would send it to another core and back. Go's 3 µs.
   */
  private static final long PATIENCE = 3_000;

  private final Sched sched;

  Stealing(Sched sched) {
    this.sched = sched;
  }

  /** A stolen goroutine to run; more may have come to the ring of {@code p}. */
  @Nullable G steal(M m, P p) {
    StopTheWorld.Procs procs = sched.world.current();
    for (int round = 0; round < ROUNDS; round++) {
      int random = m.random.next();
      int at = procs.order().start(random);
      for (int n = 0; n < procs.all().length; n++, at = procs.order().next(at, random)) {
        if (sched.world.isStopping()) {
          return null;
        }
        P victim = procs.all()[at];
        if (round == ROUNDS - 1 && sched.timekeeper.runDue(m, victim.timers)) {
          G woken = takeOwn(p);
          if (woken != null) {
            return woken; // and steals nothing: the ring may be full of others
          }
        }
        G g = victim == p ? null : stealFrom(victim, p, round == ROUNDS - 1);
        if (g != null) {
          m.local.steals.add(1);
          m.local.stolen.add(p.runQueue.lastStolen());
          return g;
        }
      }
    }
    sched.timekeeper.runLeft(m);
    return takeOwn(p);
  }

  /** One of those that timers have made ready, if any were due. */
  private static @Nullable G takeOwn(P p) {
    G g = p.runQueue.takeNext();
    return g == null ? p.runQueue.takeHead() : g;
  }

  private static @Nullable G stealFrom(P victim, P p, boolean lastRound) {
    G g = victim.runQueue.stealInto(p.runQueue, false);
    if (g != null || !lastRound || victim.runQueue.isEmpty()) {
      return g;
    }
    if (!victim.isIdle()) {
      await(PATIENCE);
    }
    return victim.runQueue.stealInto(p.runQueue, true);
  }

  private static void await(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
