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
    if (sched.hasChores) {
      doChores(m, p);
      return true;
    }
    G g = sched.findRunnable.find(m, p);
    if (g == null) {
      return m.p() != null || sched.threads.stopM(m);
    }
    run(m, p, g);
    return true;
  }

  /** Back in the scheduler with the P, or without it if it was taken away meanwhile. */
  void comeBack(M m, P p) {
    if (m.isBack()) {
      return;
    }
    for (int tries = 0; m.enter() == null; tries++) {
      if (m.hasLost(p)) {
        m.lose();
        if (m.spinning) {
          sched.spinning.passOn(m); // who saw it spinning relies on somebody to look again
        }
        return;
      }
      Backoff.await(tries);
    }
  }

  private void run(M m, P p, G g) {
    if (m.spinning) {
      sched.spinning.passOn(m);
    }
    g.toRunning();
    m.setCurrent(g);
    m.leaveToRun(p);
    try {
      g.continuation().run();
    } catch (Throwable t) {
      // An error of the JDK's own; the thread may have ended or not.
      sched.complain("goroutine " + g.id + " left its run with an error", t);
    } finally {
      m.setCurrent(null);
      m.local.switches.add(1);
      comeBack(m, p);
    }
    if (g.hasDied()) {
      sched.books.died(g);
    }
  }

  /** Without holding on to the P, as if it were a goroutine's own code. */
  private void doChores(M m, P p) {
    m.leaveToRun(p);
    try {
      sched.doChores();
    } finally {
      comeBack(m, p);
    }
  }
}
