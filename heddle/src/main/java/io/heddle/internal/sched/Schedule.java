package io.heddle.internal.sched;

/** What an M does over and over: find a goroutine and run it until it blocks, yields or ends. */
final class Schedule {
  private final Sched sched;

  Schedule(Sched sched) {
    this.sched = sched;
  }

  /** One round; false: the M is to end. */
  boolean step(M m) {
    P p = m.p();
    if (p == null) {
      p = sched.spinning.takeIdleP();
      if (p == null) {
        return sched.threads.stopM(m);
      }
      m.own(p);
    }
    if (sched.world.isStopping()) {
      sched.world.standAside(m, p);
      return true;
    }
    G g = sched.findRunnable.find(m, p);
    if (g == null) {
      return m.p() != null || sched.threads.stopM(m);
    }
    run(m, p, g);
    return true;
  }

  private void run(M m, P p, G g) {
    if (m.spinning) {
      sched.spinning.found(m);
    }
    g.toRunning();
    m.current = g;
    m.leave(p);
    try {
      g.continuation.run();
    } catch (Throwable t) {
      // The JDK lets nothing out but errors of its own, after which the thread may have ended or
      // not.
      sched.report("goroutine " + g.id + " left its run with an error", t);
    }
    m.current = null;
    m.local.switches.add(1);
    comeBack(m, p);
    if (g.hasEnded() && g.toDead()) {
      sched.books.died(m.local);
    }
  }

  /** Back in the scheduler with the P, or without it if it was taken away meanwhile. */
  void comeBack(M m, P p) {
    for (int tries = 0; m.enter() == null; tries++) {
      if (m.hasLost(p)) {
        m.lose();
        if (m.spinning) {
          sched.spinning.stop(m);
        }
        return;
      }
      Backoff.await(tries);
    }
  }
}
