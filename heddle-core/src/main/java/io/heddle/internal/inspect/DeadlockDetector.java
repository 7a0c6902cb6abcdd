package io.heddle.internal.inspect;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.jdk.BlockedOn;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.RunWitness;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.timer.TimerHeap;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a main goroutine, whose end a caller outside the scheduler waits for, can never
 * continue (rule G4). There are two proofs, and the {@linkplain StuckChecks checks of a running
 * program} have others:
 *
 * <ol>
 *   <li>A cycle of waits: the main goroutine waits for a goroutine that waits for a goroutine, and
 *       so on, back to one of them. Only waits that no other thread can end are followed: for a
 *       lock that a goroutine holds, and for the end of a goroutine.
 *   <li>Go's proof: every goroutine waits in a primitive of this library or for another goroutine,
 *       and nothing outside the scheduler could wake one.
 * </ol>
 *
 * <p>A goroutine that waits for anything else may be woken from outside; then nothing is reported.
 */
public final class DeadlockDetector {
  /*
   * Sysmon, the scheduler's monitoring thread, checks when nothing moves: every P is idle, every M
   * sleeps, no goroutine is runnable. It reads the waits of the goroutines one after the other.
   * These waits belong to the same moment if no goroutine ran meanwhile. That is so if every M
   * sleeps before and after, and the number of runs of goroutines has not changed.
   *
   * No deadlock is missed. A deadlock arises only while a goroutine runs, and sysmon checks each
   * time after all movement has ended. It checks when a few of its periodic looks in a row have
   * seen no movement, and before it falls asleep.
   *
   * Ordering: sysmon may check too early, while the last M is still on its way to sleep. Therefore:
   *   Sysmon: 1. Set its field asleep. 2. Check. 3. Sleep.
   *   M: 1. Be counted as asleep. 2. Read sysmon's field asleep; if it is set and nothing moves,
   *   wake sysmon (onMAsleep), which checks again.
   * All these accesses are volatile, so at least one of the two sees what the other wrote.
   *
   * Checked by: DeadlockTest.
   */

  /**
   * A thread that waits for a main goroutine and must be told if that goroutine can never continue.
   */
  public static final class Watch implements BlockReason {
    private final Thread waiter = Thread.currentThread();

    /**
     * The main goroutine. The reference is weak, because the thread {@link #waiter} refers to this
     * object. A strong reference would keep the main goroutine reachable, so a search for leaks
     * could not find that it has leaked.
     */
    private volatile WeakReference<G> main;

    private volatile boolean over;
    private volatile @Nullable String found;

    private Watch(G main) {
      this.main = new WeakReference<>(main);
    }

    /**
     * Returns the main goroutine; null if it has ended and was collected, or while a search for
     * leaks has found it and has not restored it.
     */
    public @Nullable G main() {
      return main.get();
    }

    /** Restores the reference to {@code g}, the main goroutine, which a leak search has cleared. */
    void restore(G g) {
      main = new WeakReference<>(g);
    }

    /** Ends the wait, because the main goroutine is about to end. */
    public void over() {
      over = true;
      LockSupport.unpark(waiter);
    }

    /**
     * Whether the main goroutine of this watch was started, has not ended, and was not reported.
     */
    private boolean isWaiting() {
      G g = main();
      return !over && found == null && g != null && !g.isNew();
    }

    public boolean isOver() {
      return over;
    }

    /**
     * Returns which goroutines wait for what, if it was found that the main goroutine can never
     * continue; null as long as that was not found.
     */
    public @Nullable String found() {
      return found;
    }

    private void found(String text) {
      found = text;
      LockSupport.unpark(waiter);
    }

    @Override
    public String reason() {
      return "run";
    }
  }

  /**
   * The length of a report after which no further goroutine is listed, because there may be
   * millions.
   */
  private static final int MAX_REPORT_CHARS = 10_000;

  /**
   * The largest number of goroutines waiting in the JDK that one check examines. For each of them
   * the check may have to read the stacks of all other goroutines.
   */
  private static final int MAX_JDK_WAITS = 1_000;

  private final Sched sched;
  private final TraceSession traces;
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  DeadlockDetector(Sched sched, TraceSession traces) {
    this.sched = sched;
    this.traces = traces;
  }

  /**
   * Registers the calling thread, which is about to wait for the end of {@code main}. Must be
   * called before {@code main} is started. Otherwise a deadlock could arise while there is no
   * watch, and sysmon would not check. If deadlock detection is off, the watch is never checked. It
   * is registered nevertheless, so that a search for leaks restores its reference.
   */
  public Watch watch(G main) {
    Watch watch = new Watch(main);
    watches.add(watch);
    return watch;
  }

  /** Ends a {@link #watch}. */
  public void unwatch(Watch watch) {
    watches.remove(watch);
  }

  /** Whether a thread waits for a main goroutine and must be told of a deadlock. */
  private boolean isWatching() {
    return sched.config().deadlockDetection() && !watches.isEmpty();
  }

  /** Wakes sysmon if nothing moves. Called by an M that has just been counted as asleep. */
  void onMAsleep() {
    if (isWatching() && sched.isQuiet()) {
      sched.wakeMonitor();
    }
  }

  /** Checks all watches, if nothing moves. Called by sysmon. */
  void check() {
    if (!isWatching() || !sched.isQuiet()) {
      return;
    }
    long runs = SchedCounters.of(sched).switches();
    String asleep = allAsleep();
    for (Watch watch : watches) {
      G main = watch.main();
      if (main == null || !watch.isWaiting()) {
        continue;
      }
      String chain = chainFrom(main.thread());
      String found = chain == null ? asleep : chain;
      boolean isStill =
          sched.isQuiet()
              && SchedCounters.of(sched).switches() == runs
              && (chain != null || isAlone());
      if (found != null && isStill) {
        tell(watch, found);
      }
    }
  }

  private void tell(Watch watch, String found) {
    String written = traces.dumpFlight(); // before the waiter is told and may exit
    JfrEvents.deadlock(sched.name(), found);
    watch.found(written == null ? found : found + "\n" + written);
  }

  /** Returns the watch of {@code g}; null if {@code g} is no main goroutine with a watch. */
  @Nullable Watch watchOf(G g) {
    for (Watch watch : watches) {
      if (watch.main() == g) {
        return watch;
      }
    }
    return null;
  }

  /** Tells the threads whose main goroutine waits for a cycle. Called by a check. */
  void onCycles(WaitCycles cycles) {
    if (!isWatching()) {
      return;
    }
    for (Watch watch : watches) {
      G main = watch.main();
      List<WaitCycles.WaitLink> chain =
          main != null && watch.isWaiting() ? cycles.chainFrom(main) : null;
      if (chain != null) {
        tell(watch, WaitCycles.text(chain));
      }
    }
  }

  /**
   * Tells the thread whose main goroutine is {@code g}, which has leaked. Called by a check, with
   * the witness that the check has of {@code g}. Does nothing if {@code g} has run meanwhile: an
   * interrupt may have woken it while the check called the logger of the program.
   */
  void onLeak(G g, RunWitness witness) {
    Watch watch = isWatching() ? watchOf(g) : null;
    if (watch != null && watch.isWaiting() && witness.holds(g)) {
      String what = WaitCycles.nameOf(g.thread()) + " [" + g.reason() + "]";
      tell(watch, what + " waits for objects that no other thread can reach");
    }
  }

  /**
   * Returns a report if every goroutine waits, only goroutines of this scheduler can end the waits,
   * and nothing else can wake a goroutine ({@link #isAlone}). Otherwise returns null.
   */
  private @Nullable String allAsleep() {
    if (!isAlone()) {
      return null;
    }
    StringBuilder text = new StringBuilder("all goroutines are asleep");
    AtomicInteger unknown = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    sched
        .registry()
        .forEach(
            g -> {
              if (unknown.get() == 0 && !waitsInside(g, asked)) {
                unknown.incrementAndGet();
              }
              if (unknown.get() == 0 && text.length() < MAX_REPORT_CHARS) {
                text.append('\n')
                    .append(WaitCycles.nameOf(g.thread()))
                    .append(" [")
                    .append(g.reason())
                    .append(']');
              }
            });
    return unknown.get() == 0 ? text.toString() : null;
  }

  /**
   * Whether no timer, no other scheduler and no thread could wake a goroutine. That is so if no
   * timer is armed, no other scheduler has goroutines or timers, and all foreign threads wait for a
   * main goroutine of this scheduler.
   */
  private boolean isAlone() {
    Set<Thread> waiters =
        watches.stream()
            .filter(Watch::isWaiting)
            .map(watch -> watch.waiter)
            .collect(Collectors.toSet());
    return sched.earliestTimer() == TimerHeap.NEVER
        && ForeignThreads.areNoneBut(waiters)
        && Sched.all().allMatch(other -> other == sched || hasNothingToDo(other));
  }

  private static boolean hasNothingToDo(Sched other) {
    return other.goroutines() == 0 && other.earliestTimer() == TimerHeap.NEVER;
  }

  /**
   * Whether every goroutine waits, and only goroutines of this scheduler can end the waits. Called
   * for a scheduler that the driver of a test runs, when none of its goroutines can continue.
   */
  public boolean isAllInside() {
    AtomicInteger asked = new AtomicInteger();
    return sched.registry().goroutines().allMatch(g -> waitsInside(g, asked));
  }

  /**
   * Whether a goroutine waits for a socket, or for a time that the driver's clock does not know.
   * Called for a scheduler that the driver of a test runs, when none of its goroutines can
   * continue.
   */
  public boolean isAnyElsewhere() {
    return sched
        .registry()
        .goroutines()
        .anyMatch(g -> VirtualThreads.isTimedWaiting(g.thread()) || g.reason().equals("IO wait"));
  }

  /**
   * Whether only goroutines of this scheduler can end the wait of {@code g}. {@code asked} counts
   * the goroutines that wait in the JDK, which take long to examine; after MAX_JDK_WAITS of them
   * the result is false.
   */
  private boolean waitsInside(G g, AtomicInteger asked) {
    if (LockSupport.getBlocker(g.thread()) instanceof BlockReason ours) {
      return ours.isInside();
    }
    if (asked.incrementAndGet() > MAX_JDK_WAITS) {
      return false;
    }
    BlockedOn.Wait wait = BlockedOn.of(g.thread(), sched.registry()::virtualThreads);
    return wait != null
        && wait.holder().isVirtual()
        && VirtualThreads.executorOf(wait.holder()) instanceof G holder
        && holder.sched() == sched;
  }

  /** Returns a report of the waits from {@code first} on if they form a cycle; else null. */
  private @Nullable String chainFrom(Thread first) {
    Map<Thread, String> chain = new LinkedHashMap<>();
    Thread at = first;
    while (!chain.containsKey(at)) {
      BlockedOn.Wait wait = BlockedOn.of(at, sched.registry()::virtualThreads);
      if (wait == null) {
        return null;
      }
      chain.put(
          at,
          WaitCycles.nameOf(at)
              + " waits for "
              + wait.what()
              + " of "
              + WaitCycles.nameOf(wait.holder()));
      at = wait.holder();
    }
    return String.join("\n", chain.values());
  }
}
