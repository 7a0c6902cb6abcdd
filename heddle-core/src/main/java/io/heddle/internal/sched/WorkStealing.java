package io.heddle.internal.sched;

import io.heddle.internal.queue.RunQueue;
import org.jspecify.annotations.Nullable;

/** Takes work from other Ps (rule F3). */
final class WorkStealing {
  /*
   * Differences from Go: there, what is next on a running P is left alone for 3 µs, and then taken whatever it is by then.
   * Here it is taken only if it has been the same all the time; and so are a few goroutines in the ring, of which Go takes
   * half at once: only if they have not all had their turn within that time, and the P has not switched at all, or the ring
   * has stood still for longer. Those that hand over to each other stay on one P, although they could overlap.
   */

  /** Go's number of rounds. Only the last may take what another P is about to run. */
  private static final int ROUNDS = 4;

  /**
   * How long to leave a running P what it is about to run, in nanoseconds: a goroutine that is about to block hands over
   * to the one it has just woken, and taking that one away would send it to another core and back. Go's 3 µs.
   */
  private static final long PATIENCE = 3_000;

  /**
   * How long the ring may stand still, in nanoseconds, while others hand over to each other before those in it. To take
   * one of a group that all deal with each other (a select and those that feed it) costs the group some microseconds, and
   * the others follow it; of two groups that have nothing to do with each other one goes to another core for good.
   */
  private static final long LONG_PATIENCE = 100_000;

  /** Between two looks during that: each may cost the victim a cache miss. */
  private static final int PAUSES = 10;

  /** So many get their turn within that time if none of them does more than hand over. */
  private static final int FEW = 4;

  private final Sched sched;

  WorkStealing(Sched sched) {
    this.sched = sched;
  }

  /** A stolen goroutine to run; more may have come to the ring of {@code p}. */
  @Nullable G steal(M m, P p) {
    return steal(m, p, 0);
  }

  /** The same with the last round alone. */
  @Nullable G stealAgain(M m, P p) {
    return steal(m, p, ROUNDS - 1);
  }

  private @Nullable G steal(M m, P p, int from) {
    StopTheWorld.Procs procs = sched.world.current();
    for (int round = from; round < ROUNDS; round++) {
      int random = m.search.random.next();
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
        G g = victim == p ? null : stealFrom(m, victim, p, round == ROUNDS - 1);
        if (g != null) {
          m.search.lastVictim = victim.number;
          m.local.steals.add(1);
          m.local.stolen.add(p.runQueue.lastStolen());
          sched.tracing.steal(m, victim, p.runQueue.lastStolen());
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

  private static @Nullable G stealFrom(M m, P victim, P p, boolean lastRound) {
    RunQueue<G> queue = victim.runQueue;
    if (queue.ringSize() > FEW) {
      return queue.stealInto(p.runQueue, false);
    }
    if (!lastRound
        || queue.isEmpty()
        || (!victim.isIdle() && isMoving(m.search.ringWatch, victim))) {
      return null;
    }
    return queue.stealInto(p.runQueue, true);
  }

  /**
   * Whether those in the ring, or else the next one, get their turn meanwhile, as seen by looking again and again for a
   * while; or others do, and the ring has not stood still for long. Goroutines that hand over to each other are best left
   * alone; if they do not, somebody computes.
   */
  static boolean isMoving(RingWatch watch, P victim) {
    RunQueue<G> queue = victim.runQueue;
    Object next = queue.next();
    int taken = queue.headIndex();
    int waiting = queue.ringSize();
    M runner = victim.m();
    if (runner != null && runner.p() != victim) {
      runner = null; // had it before
    }
    G current = runner == null ? null : runner.current();
    int runs = runner == null ? 0 : runner.runs();
    long start = System.nanoTime();
    boolean mayWait = watch.stillFor(victim.number, waiting, taken, start) < LONG_PATIENCE;
    do {
      for (int i = 0; i < PAUSES; i++) {
        Thread.onSpinWait();
      }
      if (waiting > 0 ? queue.headIndex() - taken >= waiting : queue.next() != next) {
        return true;
      }
      if (mayWait && runner != null && (runner.current() != current || runner.runs() != runs)) {
        return true;
      }
    } while (System.nanoTime() - start < PATIENCE);
    return false;
  }
}
