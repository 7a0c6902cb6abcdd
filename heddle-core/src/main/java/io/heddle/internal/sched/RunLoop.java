package io.heddle.internal.sched;

import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.GoroutineRun;
import io.heddle.internal.jfr.JfrEvents;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The goroutines that an M runs one after the other, without a detour through the scheduler. */
final class RunLoop implements UnaryOperator<@Nullable Thread> {
  /*
   * The loop from one to the next is in Mounting, which asks here what is to be run next. A thread that steps off returns
   * by a jump that no processor foresees, and so is each return behind it, up to where the next one is entered: the fewer
   * of them the better.
   */
  private final M m;
  private final Sched sched;

  /** The one that runs, until it has stepped off; null in between, in the scheduler's own code. */
  private @Nullable G running;

  private @Nullable GoroutineRun event;

  RunLoop(M m) {
    this.m = m;
    this.sched = m.sched;
  }

  /** Runs {@code first}, and those that take over from it. */
  void run(G first) {
    for (G g = first; g != null; g = sched.schedule.pickNextFast(m)) {
      if (run(g, this)) {
        return;
      }
    }
  }

  /** Runs {@code g} until it steps off. */
  void runOnly(G g) {
    if (run(g, RunLoop::none)) {
      end();
    }
  }

  /** False if it came back by an error of the JDK's own; its thread may have ended or not. */
  private boolean run(G g, UnaryOperator<@Nullable Thread> next) {
    begin(g);
    try {
      Mounter.run(g.thread, next);
      return true;
    } catch (Throwable t) {
      G left = running;
      if (left == null) {
        throw t; // of ours
      }
      sched.logLater(left, " left its run with an error", t);
      end();
      return false;
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
    sched.tracing.run(m, g); // before anybody can make it ready again
    g.toRunning();
    m.startRun(g);
    event = JfrEvents.runBegins();
    running = g;
  }

  private void end() {
    G g = running;
    if (g == null) {
      return;
    }
    running = null;
    g.afterRun(); // first: it may be for this alone to queue it, and it tells of a yield
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
