package io.heddle.internal.sched;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.GoroutineRun;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.trace.SchedLatency;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The goroutines that an M runs one after another, before it goes back to {@link ScheduleLoop}.
 *
 * <p>The loop itself is in {@link Mounter#run}, which calls {@link #apply} after each goroutine to
 * get the next one. {@link Mounter} says why the loop is there.
 */
final class RunLoop implements UnaryOperator<@Nullable Thread> {
  private final M m;
  private final Sched sched;

  /** Whether each run is charged with its CPU time: see {@link CpuTimes}. */
  private final boolean isCpuTimeExact;

  /**
   * The goroutine that this M runs, until it has unmounted; null between two goroutines, while the
   * scheduler's own code runs.
   */
  private @Nullable G running;

  /** The JFR event of the current run; null if none is recorded. */
  private @Nullable GoroutineRun event;

  RunLoop(M m) {
    this.m = m;
    this.sched = m.sched;
    this.isCpuTimeExact = sched.exactCpuTime;
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
   * Runs {@code g}, then the goroutines that {@code next} returns, until it returns null. If the
   * JDK fails while it runs a goroutine, logs the error and returns, so that the M continues in
   * {@link ScheduleLoop}. That goroutine may have ended or not. Throws an error of the scheduler's
   * own code.
   */
  private void run(G g, UnaryOperator<@Nullable Thread> next) {
    Mounter mounter = Mounter.current(); // before begin: the first call selects the implementation
    if (isCpuTimeExact) {
      long _ = m.advanceCpu(); // what the M has used in the scheduler is charged to no goroutine
    }
    begin(g);
    try {
      mounter.run(g.thread, next);
    } catch (Throwable t) {
      G left = running;
      if (left == null) {
        throw t; // an error of the scheduler's own code
      }
      sched.logLater(left, " left its run with an error", t);
      end();
    }
  }

  /**
   * Ends the run of {@code ran}, and begins that of the next goroutine on the fast path. Returns
   * the thread of that goroutine; null if there is none and {@link Mounter#run} must return.
   */
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

  /** Returns null, so that {@link Mounter#run} returns after one goroutine. */
  private static @Nullable Thread none(@Nullable Thread ran) {
    return null;
  }

  private void begin(G g) {
    // Both come before toRunning, after which another thread can make g ready again.
    sched.tracing.run(m, g);
    measure(g);
    g.toRunning();
    m.startRun(g);
    event = JfrEvents.runBegins();
    running = g;
    if (isCpuTimeExact) {
      m.slots.cpu.begin(g);
    }
  }

  /** Ends the measurement of how long {@code g} waited for a P, if that wait was sampled. */
  private void measure(G g) {
    int turn = g.turn();
    if (SchedLatency.isSampled(g.id, turn)) {
      sched.latency.runs(g, g.id, turn);
    }
  }

  /**
   * Does what must follow the run of a goroutine: queues it if it can continue, and records that it
   * has stepped off this M. Does nothing if this was done already.
   */
  private void end() {
    G g = running;
    if (g == null) {
      return;
    }
    running = null;
    if (isCpuTimeExact) {
      g.chargeRun(m);
    }
    g.afterRun(); // queues g if it can continue; if g has yielded, m keeps it in its slots instead
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
