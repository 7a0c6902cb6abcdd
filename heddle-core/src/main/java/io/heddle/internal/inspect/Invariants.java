package io.heddle.internal.inspect;

import io.heddle.internal.sched.P;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks, for tests, what must hold while nothing moves: every M sleeps, and every goroutine waits
 * or is dead. In particular the check compares facts that are stored twice, such as a list and its
 * count.
 */
public final class Invariants {
  private final Sched sched;
  private final List<String> broken = new ArrayList<>();

  private Invariants(Sched sched) {
    this.sched = sched;
  }

  /** Throws an {@link IllegalStateException} that lists the invariants that do not hold. */
  public static void check(Sched sched) {
    new Invariants(sched).check();
  }

  private void check() {
    checkPs();
    checkMs();
    checkGs();
    if (!broken.isEmpty()) {
      throw new IllegalStateException(
          "scheduler " + sched.name() + ": " + String.join("; ", broken));
    }
  }

  private void checkPs() {
    for (P p : sched.allPs()) {
      expect(p.isIdle(), p + " is not idle");
      expect(p.runQueue.isEmpty(), p + " has work and no M runs it");
      expect(sched.isInIdleSet(p), p + " is not in the idle set");
    }
    int idle = SchedCounters.of(sched).idleProcs();
    expect(idle == sched.procs(), idle + " Ps in the idle set, there are " + sched.procs());
    expect(
        SchedCounters.of(sched).globalQueue() == 0,
        SchedCounters.of(sched).globalQueue() + " goroutines in the global queue");
  }

  private void checkMs() {
    int idle = SchedCounters.of(sched).idleThreads();
    int count = SchedCounters.of(sched).threads();
    expect(
        SchedCounters.of(sched).spinningThreads() == 0,
        SchedCounters.of(sched).spinningThreads() + " Ms are counted as spinning");
    expect(idle == count, idle + " Ms are idle, there are " + count);
    expect(
        sched.allMs().size() == count, sched.allMs().size() + " Ms listed, " + count + " counted");
  }

  private void checkGs() {
    int[] living = new int[1];
    sched
        .registry()
        .forEach(
            g -> {
              living[0]++;
              expect(!g.isRunnable(), "goroutine " + g.id() + " is runnable and no M runs it");
            });
    int counted = SchedCounters.of(sched).living();
    expect(
        living[0] == counted, living[0] + " goroutines listed as living, " + counted + " counted");
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }
}
