package io.heddle.internal.sched;

import io.heddle.internal.policy.RingWatch;
import io.heddle.internal.queue.RunQueue;
import org.jspecify.annotations.Nullable;

/** Takes work from other Ps (rule F3); Go's {@code stealWork}. */
final class WorkStealing {
  /*
   * Policy. A thief is an M that searches for work; in each of several rounds it visits all Ps. The
   * P that it visits is the victim. If the victim has more than FEW_GOROUTINES in its ring, the
   * thief takes half of the ring at once. From a victim with a shorter ring the thief steals only
   * in the last round. If that victim is not idle, the thief first checks that no goroutine gets
   * its turn there:
   *   1. Read runNext, the index of the ring head, and what the victim's M runs.
   *   2. Look at these three again and again for VICTIM_PATIENCE_NANOS.
   *   3. Do not steal if the ring was not empty at step 1 and all its goroutines have been taken
   *      since, or if it was empty and runNext has changed.
   *   4. Do not steal if the victim's M has switched to another goroutine, unless no goroutine has
   *      been taken from the ring for STILL_RING_PATIENCE_NANOS.
   *   5. Otherwise steal: the goroutine that runs computes.
   *
   * Differences from Go: Go waits 3 µs and then steals whatever is in runnext, and it takes half of
   * any ring at once. Heddle steals runNext only if it did not change during those 3 µs, and
   * protects a short ring the same way. Therefore goroutines that hand over to each other stay on
   * one P, although two Ps could run them at the same time. Decisions 10 and 22 have the figures.
   *
   * Checked by: WorkStealingTest, WorkSharingTest.
   */

  /**
   * How often a thief visits all Ps before it gives up: Go's number. Only the last round may take
   * what another P is about to run.
   */
  private static final int ROUNDS = 4;

  /**
   * How long a thief watches a victim before it steals {@code runNext} or a short ring: Go's 3 µs.
   * A goroutine that is about to park hands over to the goroutine it has just woken. Stealing the
   * woken goroutine would send it to another core and back.
   */
  private static final long VICTIM_PATIENCE_NANOS = 3_000;

  /**
   * For how long nothing may be taken from a victim's ring, while its M switches between other
   * goroutines, before a thief steals from the ring. The steal costs some microseconds if the
   * goroutines communicate with each other (a select and its senders): the others follow the stolen
   * one to the thief's core. The steal pays off if the goroutines form two groups that do not
   * communicate: one group moves to another core and stays there.
   */
  private static final long STILL_RING_PATIENCE_NANOS = 100_000;

  /**
   * The number of pauses ({@code onSpinWait}) between two looks at a victim. There are pauses
   * because each look may cost the victim a cache miss.
   */
  private static final int PAUSES_PER_LOOK = 10;

  /**
   * The size up to which a ring is short. If each goroutine of a short ring only wakes another one
   * and parks, all of them have their turn within {@link #VICTIM_PATIENCE_NANOS}.
   */
  private static final int FEW_GOROUTINES = 4;

  private final Sched sched;

  WorkStealing(Sched sched) {
    this.sched = sched;
  }

  /**
   * Searches the other Ps for work, for the caller {@code m}, which owns {@code p}. Steals
   * goroutines. In the last round also fires due timers, and takes a goroutine that they make ready
   * on {@code p}. Returns a goroutine to run; a steal may add more to the ring of {@code p}.
   * Returns null if it finds none, or if the world is being stopped.
   */
  @Nullable G steal(M m, P p) {
    return steal(m, p, 0);
  }

  /** Searches like {@link #steal(M, P)}, but in the last round alone; null if it finds none. */
  @Nullable G stealAgain(M m, P p) {
    return steal(m, p, ROUNDS - 1);
  }

  /** Searches in the rounds from number {@code from} on; null if it finds none. */
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
            return woken; // do not steal now: the timers may have left the ring no room for it
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
    sched.timekeeper.runRetired(m);
    return takeOwn(p);
  }

  /** Takes a goroutine that a timer has made ready on {@code p}; null if there is none. */
  private static @Nullable G takeOwn(P p) {
    G g = p.runQueue.takeNext();
    return g == null ? p.runQueue.takeHead() : g;
  }

  /**
   * Steals from {@code victim} according to the policy above. Returns a goroutine, and adds the
   * others to the ring of {@code p}. Returns null if there is nothing to steal, or if the policy
   * forbids it now.
   */
  private static @Nullable G stealFrom(M m, P victim, P p, boolean lastRound) {
    RunQueue<G> queue = victim.runQueue;
    if (queue.ringSize() > FEW_GOROUTINES) {
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
   * Whether goroutines of {@code victim} get their turn while the thief watches, so that it must
   * not steal: steps 1 to 4 of the policy above. Takes up to {@link #VICTIM_PATIENCE_NANOS}.
   */
  private static boolean isMoving(RingWatch watch, P victim) {
    return isMoving(watch, victim, WorkStealing::pause);
  }

  private static void pause() {
    for (int i = 0; i < PAUSES_PER_LOOK; i++) {
      Thread.onSpinWait();
    }
  }

  /** Like {@link #isMoving(RingWatch, P)}, but with {@code pause} between two looks, for tests. */
  static boolean isMoving(RingWatch watch, P victim, Runnable pause) {
    RunQueue<G> queue = victim.runQueue;
    Object next = queue.next();
    int taken = queue.headIndex();
    int waiting = queue.ringSize();
    M runner = victim.m();
    if (runner != null && runner.p() != victim) {
      runner = null; // an M that had the victim before
    }
    G current = runner == null ? null : runner.current();
    int runs = runner == null ? 0 : runner.slots.runs();
    long start = System.nanoTime();
    boolean mayWait =
        watch.stillFor(victim.number, waiting, taken, start) < STILL_RING_PATIENCE_NANOS;
    do {
      pause.run();
      if (waiting > 0 ? queue.headIndex() - taken >= waiting : queue.next() != next) {
        return true;
      }
      if (mayWait
          && runner != null
          && (runner.current() != current || runner.slots.runs() != runs)) {
        return true;
      }
    } while (System.nanoTime() - start < VICTIM_PATIENCE_NANOS);
    return false;
  }
}
