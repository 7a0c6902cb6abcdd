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

/** Finds goroutines that wait for what nobody else can reach. */
public final class Leaks {
  /*
   * A goroutine that waits is held by what it waits for, and its stack holds that in turn. If nobody else holds either, it
   * can never go on, and the collector can tell, were it not for the list of the living. So that list holds those that
   * wait weakly for a while; what the collector takes meanwhile was leaked. One that goes on in between is held by its
   * queue or its M, as always. What there is to say of them is written down before, and refers to none of them.
   *
   * Checked by: LeakDetectionTest.
   */

  /** How often the collector is asked, and how many milliseconds it is waited for each time. */
  private static final int TRIES = 5;

  private static final int PATIENCE = 1_000;

  private final Sched sched;

  private Leaks(Sched sched) {
    this.sched = sched;
  }

  /** What is left to tell of one. */
  public record Leak(
      long id,
      String name,
      String reason,
      List<StackTraceElement> stack,
      @Nullable StackTraceElement site) {}

  private record Suspect(GoroutineList.Weak weak, Leak leak) {}

  /** Finds, and ends, the goroutines of {@code sched} that wait for what nothing else can reach. */
  public static List<Leak> find(Sched sched) {
    return new Leaks(sched).find();
  }

  private List<Leak> find() {
    List<Suspect> suspects = new ArrayList<>();
    List<Leak> leaks = new ArrayList<>();
    try {
      sched.books().forEach(g -> suspect(g, suspects));
      collect();
    } finally {
      for (Suspect suspect : suspects) {
        if (GoroutineList.strengthen(suspect.weak())) {
          sched.books().collected();
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

  /** Twice: what the first finds may hold others until it is gone. */
  private static void collect() {
    collectOnce();
    collectOnce();
  }

  private static void collectOnce() {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    for (int i = 0; i < TRIES; i++) {
      System.gc();
      for (int ms = 0; ms < PATIENCE && garbage.get() != null; ms++) {
        LockSupport.parkNanos(1_000_000);
      }
      if (garbage.get() == null) {
        return;
      }
    }
    throw new IllegalStateException(
        "leaks cannot be told: the garbage collector does not run when asked, as with"
            + " -XX:+DisableExplicitGC");
  }
}
