package io.heddle.internal.inspect;

import io.heddle.internal.jdk.FinalReferences;
import io.heddle.internal.jdk.ThreadState;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineList;
import io.heddle.internal.sched.RunWitness;
import io.heddle.internal.sched.Sched;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the goroutines, of all schedulers, that wait for objects that no other thread can reach,
 * while the program runs. Unlike {@link Leaks} it leaves them as they are.
 */
final class LeakSearch {
  /*
   * As in Leaks, the lists of living goroutines hold the suspects weakly while the collector runs.
   * In addition there is a final reference to each suspect (FinalReferences). The collector
   * enqueues it when nothing else refers to the goroutine, and keeps the goroutine.
   *
   * A round:
   *   1. For each suspect: make a final reference, and let the list hold the suspect weakly.
   *   2. Run the collector.
   *   3. For each suspect whose weak reference is cleared: await its final reference from the
   *      queue. It comes, because the collector clears the weak and enqueues the final reference
   *      in the same case: nothing else refers to the goroutine.
   *   4. Let the lists hold all suspects strongly again.
   * While a round runs, no frame of this thread and no collection refers to a suspect. Step 4
   * follows whatever fails before, and one suspect that it fails for does not keep it from others.
   *
   * Why a goroutine that a round has found can be woken only by a finalizer: in step 2, no thread
   * could reach the goroutine or what it waits for. The collector has cleared the weak references
   * to all these objects, and gives objects that it has found unreachable only to finalizers.
   *
   * A search: round A with all goroutines that wait, then round B with those that A has found. A
   * finalizer that can reach the goroutine belongs to an object that was unreachable in A, too;
   * otherwise A would have found the goroutine reachable. So the collector has queued that
   * finalizer in A. If the finalizer has not ended in B, the goroutine is reachable through it, and
   * B does not find the goroutine. If the finalizer has ended and has woken the goroutine, the
   * witness of the goroutine does not hold. The proof does not cover a finalizer that makes a new
   * object with a finalizer, nor native code with a weak global reference.
   *
   * Interrupts of all goroutines (shutdownNow) miss a goroutine that is held weakly when step 2 has
   * cleared the reference, until step 4. Therefore:
   *   Interrupter: 1. Count the interrupt as begun. 2. Read the lists. 3. Count it as ended.
   *   Search: 1. Read how many interrupts have ended. 2. Hold the goroutine weakly. 3. Let the list
   *   hold it strongly again. 4. Read how many interrupts have begun. If the numbers differ,
   *   interrupt the goroutine.
   * An interrupter that has missed the goroutine reads the list after the search's step 2 and
   * before its step 3. So its interrupt has not ended at step 1 and has begun at step 4. All these
   * accesses are volatile.
   *
   * The chores of an M (Sched.doChores) may miss a stranded goroutine in the same way. The
   * goroutine was marked as stranded before the M read the list. So the search sees the mark after
   * its step 3, and does the M's work: it calls G.rescue.
   *
   * Checked by: LeakedProgramsTest, WakeableProgramsTest, StuckMainTest, LeakSearchTest.
   */
  /** The largest number of stacks that one search reads for each scheduler. */
  static final int MAX_STACKS = 1_000;

  /**
   * How long to wait for the next final reference. The thread of the JVM that enqueues references
   * usually needs microseconds. It may be late on an overloaded machine, or be blocked for good by
   * a cleaner of the JDK.
   */
  private static final long PATIENCE_MILLIS = 10_000;

  private final BiFunction<G, ReferenceQueue<G>, Reference<G>> keeper;
  private final long patienceMillis;
  private final Queue<Unreached> found = new ArrayDeque<>();
  private final List<WeakSuspect> suspects = new ArrayList<>();
  private final ReferenceQueue<G> unreachable = new ReferenceQueue<>();
  private final IdentityHashMap<Reference<?>, WeakSuspect> byReference = new IdentityHashMap<>();

  /** Whether a final reference has not come in time. Then this search waits for no other one. */
  private boolean isLate;

  /**
   * Makes a search, for one call of {@link #run}.
   *
   * @param keeper makes final references; tests make it fail
   * @param patienceMillis how long to wait for the next final reference
   */
  LeakSearch(BiFunction<G, ReferenceQueue<G>, Reference<G>> keeper, long patienceMillis) {
    this.keeper = keeper;
    this.patienceMillis = patienceMillis;
  }

  /** A goroutine that a round has found, with the witness that was taken before the first round. */
  private record Unreached(G g, RunWitness witness) {}

  /** A goroutine that the list holds weakly. No field refers to the goroutine strongly. */
  private static final class WeakSuspect {
    final GoroutineList.Weak weak;
    final Reference<G> kept;
    final RunWitness witness;
    final Sched sched;
    final int interruptsEnded;
    final DeadlockDetector.@Nullable Watch watch;
    boolean isUnreachable;

    WeakSuspect(
        G g, GoroutineList.Weak weak, Reference<G> kept, RunWitness witness, int interruptsEnded) {
      this.weak = weak;
      this.kept = kept;
      this.witness = witness;
      this.sched = g.sched();
      this.interruptsEnded = interruptsEnded;
      this.watch = Inspector.of(sched).deadlocks().watchOf(g);
    }
  }

  /**
   * Finds the leaked goroutines among those that have not run for about {@code minNanos}, and
   * passes them to {@code report}. Then tells each thread whose main goroutine is one of them.
   *
   * @throws IllegalStateException if the collector does not run when asked, or if the JVM does not
   *     enqueue references
   */
  static void find(long minNanos, Consumer<Map<Sched, List<StuckReport>>> report) {
    new LeakSearch(FinalReferences::make, PATIENCE_MILLIS).run(minNanos, report);
  }

  /** See {@link #find}. */
  void run(long minNanos, Consumer<Map<Sched, List<StuckReport>>> report) {
    Leaks.ONE_AT_A_TIME.lock();
    try {
      round(() -> suspectAll(minNanos));
      round(this::suspectFound);
      report(report);
    } finally {
      Leaks.ONE_AT_A_TIME.unlock();
    }
  }

  private void suspectAll(long minNanos) {
    StuckChecks.schedulers()
        .forEach(sched -> sched.registry().forEach(g -> suspectIfWaiting(g, minNanos)));
  }

  /**
   * Suspects {@code g} if it is parked without a time limit. The JVM itself refers to a goroutine
   * in any other wait.
   */
  private void suspectIfWaiting(G g, long minNanos) {
    RunWitness witness = g.nanosSinceLastRun() >= minNanos ? RunWitness.of(g) : null;
    if (witness != null && VirtualThreads.phase(g.thread()) == ThreadState.PARKED) {
      suspect(g, witness);
    }
  }

  private void suspectFound() {
    for (Unreached next; (next = found.poll()) != null; ) {
      suspect(next.g, next.witness);
    }
  }

  private void suspect(G g, RunWitness witness) {
    Reference<G> kept = keeper.apply(g, unreachable);
    int interrupts = g.sched().registry().interruptsEnded();
    GoroutineList.Weak weak = GoroutineList.weakFor(g);
    if (weak == null) {
      return;
    }
    WeakSuspect suspect = new WeakSuspect(g, weak, kept, witness, interrupts);
    byReference.put(kept, suspect);
    suspects.add(suspect); // before weaken, so that restoreAll knows each weak goroutine
    if (!GoroutineList.weaken(g, weak)) {
      suspects.removeLast();
    }
  }

  private void round(Runnable suspecting) {
    try {
      suspecting.run();
      if (!suspects.isEmpty()) {
        Leaks.collectOnce();
      }
    } finally {
      restoreAll();
    }
  }

  private void restoreAll() {
    Throwable failure = null;
    for (WeakSuspect suspect : suspects) {
      try {
        restore(suspect);
      } catch (Throwable t) {
        failure = t;
      }
    }
    suspects.clear();
    byReference.clear();
    if (failure != null) {
      throw new IllegalStateException("the search for leaks failed: " + failure, failure);
    }
    if (isLate) {
      throw new IllegalStateException(
          "cannot find leaks: the JVM has not enqueued a reference for "
              + patienceMillis
              + " ms; its thread Reference Handler may be blocked");
    }
  }

  /** Lets the list hold {@code suspect} strongly again: steps 3 and 4 of a round. */
  private void restore(WeakSuspect suspect) {
    G g = suspect.weak.get();
    if (g != null) {
      GoroutineList.restore(suspect.weak, g);
      return;
    }
    g = awaitKept(suspect);
    GoroutineList.restore(suspect.weak, g);
    if (suspect.watch != null) {
      suspect.watch.restore(g);
    }
    found.add(new Unreached(g, suspect.witness));
    g.rescue();
    if (suspect.sched.registry().interruptsBegun() != suspect.interruptsEnded) {
      g.thread().interrupt();
    }
  }

  /**
   * Waits for the final reference of {@code suspect}, and returns the goroutine from it. If the
   * reference is late, the goroutine is taken from it nevertheless: it must not be lost, and by now
   * the collector has ended its work.
   */
  private G awaitKept(WeakSuspect suspect) {
    while (!suspect.isUnreachable && !isLate) {
      try {
        Reference<?> next = unreachable.remove(patienceMillis);
        isLate = next == null;
        WeakSuspect of = next == null ? null : byReference.get(next);
        if (of != null) {
          of.isUnreachable = true;
        }
      } catch (InterruptedException e) {
        // Ignored, because no code has a reason to interrupt the thread of a check.
      }
    }
    G g = Objects.requireNonNull(suspect.kept.get());
    if (suspect.isUnreachable) {
      suspect.kept.clear();
    }
    return g;
  }

  private void report(Consumer<Map<Sched, List<StuckReport>>> report) {
    found.removeIf(next -> !next.witness.holds(next.g));
    Map<Sched, List<StuckReport>> leaked = new HashMap<>();
    for (Unreached next : found) {
      List<StuckReport> its = leaked.computeIfAbsent(next.g.sched(), _ -> new ArrayList<>());
      its.add(StuckReport.of(next.g, "", its.size() < MAX_STACKS));
    }
    report.accept(leaked);
    found.forEach(next -> Inspector.of(next.g.sched()).deadlocks().onLeak(next.g, next.witness));
  }
}
