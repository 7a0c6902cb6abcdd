package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineList;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Finds goroutines that wait for objects that no other thread can reach. */
public final class Leaks {
  /*
   * A goroutine that waits at a channel is in the queue of the channel, and the channel is on the
   * stack of the goroutine: the two refer to each other. If nothing else refers to either of them,
   * the goroutine can never continue, and both are garbage. But the collector does not find them,
   * because the list of living goroutines refers to the goroutine. Therefore:
   *   1. Write a report of each waiting goroutine. The report does not refer to the goroutine.
   *   2. Let the list hold each waiting goroutine weakly.
   *   3. Run the collector.
   *   4. Let the list hold the goroutines strongly again. Those that were collected have leaked.
   * A goroutine that is woken meanwhile is not collected, because a run queue or an M refers to it.
   * The main goroutine of a run is no suspect, because the caller of run refers to it only weakly
   * and would wait for ever.
   *
   * Checked by: LeakDetectionTest.
   */

  /**
   * The largest number of calls of the collector until it has collected a test object. If it has
   * not done so then, the search fails.
   */
  private static final int MAX_GC_CALLS = 5;

  /** How long to wait after each call until the collector has collected the test object. */
  private static final int GC_PATIENCE_MILLIS = 1_000;

  /**
   * Held during a search, because two searches at the same time would each overlook the goroutines
   * that the other one has made weak.
   */
  static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

  private final Sched sched;

  private Leaks(Sched sched) {
    this.sched = sched;
  }

  /** A report of one leaked goroutine. */
  public record Leak(
      long id,
      String name,
      String reason,
      List<StackTraceElement> stack,
      @Nullable StackTraceElement site) {}

  private record Suspect(GoroutineList.Weak weak, Leak leak, @Nullable Runnable whenCollected) {}

  /**
   * Finds the leaked goroutines of {@code sched}. When this method returns, the collector has
   * collected them, and they are no longer in the list of living goroutines. So each is reported
   * once.
   */
  public static List<Leak> find(Sched sched) {
    ONE_AT_A_TIME.lock();
    try {
      return new Leaks(sched).find();
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }

  private List<Leak> find() {
    List<Suspect> suspects = new ArrayList<>();
    List<Leak> leaks = new ArrayList<>();
    try {
      sched.registry().forEach(g -> suspect(g, suspects));
      collect();
    } finally {
      for (Suspect suspect : suspects) {
        if (GoroutineList.strengthen(suspect.weak())) {
          sched.registry().recordCollected();
          leaks.add(suspect.leak());
          if (suspect.whenCollected() != null) {
            suspect.whenCollected().run();
          }
        }
      }
    }
    return leaks;
  }

  /**
   * Adds {@code g} to the suspects if it waits and no thread waits for its end in run: writes its
   * report, and lets the list of living goroutines hold it weakly.
   */
  private static void suspect(G g, List<Suspect> suspects) {
    if (g.goroutineState() != GoroutineState.WAITING
        || Inspector.of(g.sched()).deadlocks().watchOf(g) != null) {
      return;
    }
    List<StackTraceElement> stack = List.of(g.thread().getStackTrace());
    Leak leak = new Leak(g.id(), g.thread().getName(), g.reason(), stack, g.site());
    GoroutineList.Weak weak = GoroutineList.weakFor(g);
    if (weak != null) {
      suspects.add(new Suspect(weak, leak, g.whenCollected()));
      GoroutineList.weaken(g, weak); // last, so that whatever fails before changes no list
    }
  }

  /**
   * Runs the collector twice. An object that the first run collects may have been the last that
   * referred to a goroutine; only the second run collects such a goroutine for certain.
   */
  private static void collect() {
    collectOnce();
    collectOnce();
  }

  /** Runs the collector until it has collected an object that is garbage. */
  static void collectOnce() {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    for (int i = 0; i < MAX_GC_CALLS; i++) {
      System.gc();
      for (int ms = 0; ms < GC_PATIENCE_MILLIS && garbage.get() != null; ms++) {
        LockSupport.parkNanos(1_000_000);
      }
      if (garbage.get() == null) {
        return;
      }
    }
    throw new IllegalStateException(
        "cannot find leaks: the garbage collector does not run when asked, as with"
            + " -XX:+DisableExplicitGC");
  }
}
