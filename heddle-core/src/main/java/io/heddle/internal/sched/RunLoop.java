package io.heddle.internal.sched;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.GoroutineRun;
import io.heddle.internal.jfr.JfrEvents;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The goroutines that an M runs one after another, before it goes back to {@link ScheduleLoop}.
 *
 * <p>The loop itself is in {@link Mounter#run}, which calls {@link #apply} between two goroutines;
 * {@link Mounter} says why.
 */
final class RunLoop implements UnaryOperator<@Nullable Thread> {
  private final M m;
  private final Sched sched;

  /**
   * The goroutine that runs, until it has unmounted; null in between, in the scheduler's own code.
   */
  private @Nullable G running;

  private @Nullable GoroutineRun event;

  RunLoop(M m) {
    this.m = m;
    this.sched = m.sched;
  }

  /**
   * Runs {@code first}, then the goroutines that {@link ScheduleLoop#pickNextFast} finds, until it
   * finds none.
   */
  void run(G first) {
    run(first, this);
  }

  /** Runs {@code g} until it unmounts. */
  void runOnly(G g) {
    run(g, RunLoop::none);
    end();
  }

  /**
   * Runs goroutines until {@code next} returns null. If the JDK fails in the run of a goroutine,
   * which may then have ended or not, the error is logged and the loop ends: the M goes on in
   * {@link ScheduleLoop}.
   */
  private void run(G g, UnaryOperator<@Nullable Thread> next) {
    begin(g);
    try {
      Mounter.current().run(g.thread, next);
    } catch (Throwable t) {
      G left = running;
      if (left == null) {
        throw t; // an error of the scheduler's own code
      }
      sched.logLater(left, " left its run with an error", t);
      end();
    }
  }

  @Override
  public @Nullable Thread apply(@Nullable Thread ran) {
    end();
    G next = sched.schedule.pickNextFast(m);
    if (next == null) {
      return null;
    }
    begin(next);
    return next.thread;
  }

  private static @Nullable Thread none(@Nullable Thread ran) {
    return null;
  }

  private void begin(G g) {
    sched.tracing.run(m, g); // before any thread can make it ready again
    g.toRunning();
    m.startRun(g);
    event = JfrEvents.runBegins();
    running = g;
  }

  /** Does nothing if the last run has been ended already. */
  private void end() {
    G g = running;
    if (g == null) {
      return;
    }
    running = null;
    g.afterRun(); // first, because it may have to queue g, and it tells whether g yielded
    sched.tracing.off(m, g);
    GoroutineRun e = event;
    if (e != null) {
      event = null;
      e.ends(sched.name(), g.id);
    }
    if (m.threadLock.holder() != null && VirtualThreads.isTerminated(g.thread)) {
      m.threadLock.release();
    }
  }
}
