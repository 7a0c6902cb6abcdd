package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import org.jspecify.annotations.Nullable;

/** Where a scheduler that is turned by hand differs: see {@link ExploringDriver}. */
final class Cranked {
  private Cranked() {}

  /** The M does what the crank says. */
  static final class Loop extends ScheduleLoop {
    private final ExploringDriver crank;

    Loop(Sched sched, ExploringDriver crank) {
      super(sched);
      this.crank = crank;
      crank.turns(sched);
    }

    @Override
    boolean untilEnd(M m) {
      try {
        crank.turn(m);
        return true;
      } catch (Throwable t) {
        crank.fail(t);
        return true;
      }
    }
  }

  /** Whoever can go on is for the crank to choose from. */
  static final class Queue extends Ready {
    private final ExploringDriver crank;

    Queue(Sched sched, ExploringDriver crank) {
      super(sched);
      this.crank = crank;
    }

    @Override
    void ready(G g) {
      if (VirtualThreads.isUnblocker()) {
        crank.nudge(); // the crank tries it anyway, and must not depend on when this comes
      } else {
        super.ready(g);
      }
    }

    @Override
    void put(@Nullable M m, G g, boolean isM) {
      crank.queue(g, m != null);
    }
  }
}
