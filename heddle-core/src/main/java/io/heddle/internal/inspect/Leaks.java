package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineList;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.Sched;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Finds goroutines that wait for objects that no other thread can reach. */
public final class Leaks {
  /*
   * The object that a goroutine waits for refers to the goroutine, and the stack of the goroutine
   * refers to that object. If nothing else refers to either, the goroutine can never continue, and
   * the garbage collector could find it. But the list of living goroutines refers to the goroutine
   * too. Therefore:
   *   1. Write a report of each waiting goroutine that contains no reference to it.
   *   2. Let the list hold each waiting goroutine weakly.
   *   3. Run the collector.
   *   4. Let the list hold the goroutines strongly again. Those that were collected have leaked.
   * A goroutine that continues meanwhile is referred to by its queue or its M.
   *
   * Checked by: LeakDetectionTest.
   */

  /**
   * How often the collector is called at most until it has collected a test object. After so many
   * calls the search fails.
   */
  private static final int MAX_GC_CALLS = 5;

  /** How long to wait after each call until the collector has collected the test object. */
  private static final int GC_PATIENCE_MILLIS = 1_000;

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

  private record Suspect(GoroutineList.Weak weak, Leak leak) {}

  /** Finds the leaked goroutines of {@code sched}, which are garbage afterwards. */
  public static List<Leak> find(Sched sched) {
    return new Leaks(sched).find();
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
        }
      }
    }
    return leaks;
  }

  private static void suspect(G g, List<Suspect> suspects) {
    if (g.goroutineState() != GoroutineState.WAITING) {
      return;
    }
    List<StackTraceElement> stack = List.of(g.thread().getStackTrace());
    Leak leak = new Leak(g.id(), g.thread().getName(), g.reason(), stack, g.site());
    GoroutineList.Weak weak = GoroutineList.weaken(g);
    if (weak != null) {
      suspects.add(new Suspect(weak, leak));
    }
  }

  /**
   * Runs the collector twice, because garbage that the first run finds may refer to other
   * goroutines until that garbage is gone.
   */
  private static void collect() {
    collectOnce();
    collectOnce();
  }

  private static void collectOnce() {
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
