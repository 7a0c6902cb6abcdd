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
   * The goroutine that this M runs, until it has unmounted; null between two goroutines, while the
   * scheduler's own code runs.
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
   * the error is logged and the loop ends; that goroutine may have ended or not. The M goes on in
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
    sched.tracing.run(m, g); // before any thread can make g ready again
    g.toRunning();
    m.startRun(g);
    event = JfrEvents.runBegins();
    running = g;
  }

  /**
   * Ends the last run: lets its goroutine be queued if it can continue, and records that it stepped
   * off. Does nothing if that run has been ended already.
   */
  private void end() {
    G g = running;
    if (g == null) {
      return;
    }
    running = null;
    g.afterRun(); // first: it may have to queue g, and tells m if g yielded
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
