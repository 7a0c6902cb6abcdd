package io.heddle.internal.sched;

import java.util.ArrayList;
import java.util.List;

/** What must hold whenever nothing moves: every M asleep, every goroutine waiting or dead. For tests. */
final class Invariants {
  private final Sched sched;
  private final List<String> broken = new ArrayList<>();

  Invariants(Sched sched) {
    this.sched = sched;
  }

  void check() {
    checkPs();
    checkMs();
    checkGs();
    if (!broken.isEmpty()) {
      throw new IllegalStateException(
          "scheduler " + sched.name() + ": " + String.join("; ", broken));
    }
  }

  private void checkPs() {
    for (P p : sched.world.all()) {
      expect(p.isIdle(), p + " is not idle");
      expect(p.runQueue.isEmpty(), p + " has work and nobody runs it");
      expect(sched.idlePs.contains(p.number), p + " is not in the idle set");
    }
    int idle = sched.idlePs.size();
    expect(idle == sched.procs(), idle + " Ps in the idle set, there are " + sched.procs());
    expect(
        sched.globalQueue.isEmpty(), sched.globalQueue.size() + " goroutines in the global queue");
  }

  private void checkMs() {
    int idle = sched.books.idleThreads();
    int count = sched.threads.count();
    expect(sched.spinning.count() == 0, sched.spinning.count() + " Ms are counted as spinning");
    expect(idle == count, idle + " Ms are idle, there are " + count);
    expect(
        sched.threads.all().size() == count,
        sched.threads.all().size() + " Ms listed, " + count + " counted");
  }

  private void checkGs() {
    int[] living = new int[1];
    sched.books.forEach(
        g -> {
          living[0]++;
          expect(!g.isRunnable(), "goroutine " + g.id() + " is runnable and nobody runs it");
        });
    int counted = sched.books.living();
    expect(
        living[0] == counted, living[0] + " goroutines listed as living, " + counted + " counted");
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }
}
