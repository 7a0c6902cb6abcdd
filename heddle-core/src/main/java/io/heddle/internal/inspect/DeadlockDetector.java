package io.heddle.internal.inspect;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.jdk.BlockedOn;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.timer.TimerHeap;
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
 * Finds out that a main goroutine can never go on (rule G4): it waits for one that waits for one … that waits for one of
 * those before.
 *
 * <p>Only waits that nobody else could end are followed: for a lock that a goroutine holds, or for a goroutine's end.
 * Whatever else a goroutine waits for, somebody outside may bring it; then nothing is said. The other way that is certain
 * is Go's: every goroutine waits in something of ours, and there is nobody else.
 */
public final class DeadlockDetector {
  /*
   * Sysmon looks when nothing moves: every P idle, every M asleep, nothing to run. The waits are read one after the other;
   * they belong together if no goroutine ran meanwhile. None did if every M sleeps before and after, and the goroutines
   * that were run have not become more.
   *
   * Nothing can go from "no deadlock" to "deadlock" without a goroutine that runs, and sysmon looks each time when nothing
   * moves any more: when it has seen so a few times, and before it sleeps for good. It may look while an M is on its way to
   * sleep, and would sleep then: so it says that it sleeps before it looks, and an M that is asleep, to all who count, looks
   * whether sysmon does. Both accesses are volatile: one of them sees the other.
   *
   * Checked by: DeadlockTest.
   */

  /** One that waits for a main goroutine, and wants to be told. */
  public static final class Watch implements BlockReason {
    private final Thread waiter = Thread.currentThread();
    private final G main;
    private volatile boolean over;
    private volatile @Nullable String found;

    private Watch(G main) {
      this.main = main;
    }

    /** The main goroutine is about to end. */
    public void over() {
      over = true;
      LockSupport.unpark(waiter);
    }

    /** Its main goroutine has been started, and neither ended nor been reported. */
    private boolean isWaiting() {
      return !over && found == null && !main.isNew();
    }

    public boolean isOver() {
      return over;
    }

    /** Who waits for whom, if the main goroutine can never go on; else null. */
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

  /** How much of a message to make, and how many goroutines to ask that wait for something of the JDK's. */
  private static final int MOST_TEXT = 10_000;

  private static final int MOST_ASKED = 1_000;

  private final Sched sched;
  private final TraceSession traces;
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  DeadlockDetector(Sched sched, TraceSession traces) {
    this.sched = sched;
    this.traces = traces;
  }

  /** The calling thread is about to wait for {@code main}, which is not started yet. */
  public Watch watch(G main) {
    Watch watch = new Watch(main);
    if (sched.config().deadlockDetection()) {
      watches.add(watch);
    }
    return watch;
  }

  public void unwatch(Watch watch) {
    watches.remove(watch);
  }

  /** For an M that counts as asleep from now on. */
  void onMAsleep() {
    if (!watches.isEmpty() && sched.isQuiet()) {
      sched.wakeMonitor();
    }
  }

  /** For sysmon, when nothing moves. */
  void check() {
    if (watches.isEmpty() || !sched.isQuiet()) {
      return;
    }
    long runs = SchedCounters.of(sched).switches();
    String asleep = allAsleep();
    for (Watch watch : watches) {
      if (!watch.isWaiting()) {
        continue;
      }
      String chain = chainFrom(watch.main.thread());
      String found = chain == null ? asleep : chain;
      boolean isStill =
          sched.isQuiet()
              && SchedCounters.of(sched).switches() == runs
              && (chain != null || isAlone());
      if (found != null && isStill) {
        String written = traces.dumpFlight(); // before the program can end
        JfrEvents.deadlock(sched.name(), found);
        watch.found(written == null ? found : found + "\n" + written);
      }
    }
  }

  /**
   * Who waits for what, in words, if every goroutine waits for what another one of them would have to do, and nobody
   * else can do it: no timer runs, no other scheduler has goroutines, and there is no other thread than those that wait for a
   * main goroutine here. Else null.
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
              if (unknown.get() == 0 && text.length() < MOST_TEXT) {
                text.append('\n')
                    .append(name(g.thread()))
                    .append(" [")
                    .append(g.reason())
                    .append(']');
              }
            });
    return unknown.get() == 0 ? text.toString() : null;
  }

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

  /** For a scheduler that is turned by hand, and where none can go on: whether it is certain that none ever will. */
  public boolean isAllInside() {
    AtomicInteger asked = new AtomicInteger();
    return sched.registry().goroutines().allMatch(g -> waitsInside(g, asked));
  }

  /** The same: whether one waits for a time that is not ours, or for a socket. */
  public boolean isAnyElsewhere() {
    return sched
        .registry()
        .goroutines()
        .anyMatch(g -> VirtualThreads.isTimedWaiting(g.thread()) || g.reason().equals("IO wait"));
  }

  private boolean waitsInside(G g, AtomicInteger asked) {
    if (LockSupport.getBlocker(g.thread()) instanceof BlockReason ours) {
      return ours.isInside();
    }
    if (asked.incrementAndGet() > MOST_ASKED) {
      return false; // each may take a look at all others
    }
    BlockedOn.Wait wait = BlockedOn.of(g.thread(), sched.registry()::virtualThreads);
    return wait != null
        && wait.holder().isVirtual()
        && VirtualThreads.executorOf(wait.holder()) instanceof G holder
        && holder.sched() == sched;
  }

  /** The waits from {@code first} on, in words, if they come back to one of them; else null. */
  private @Nullable String chainFrom(Thread first) {
    Map<Thread, String> chain = new LinkedHashMap<>();
    Thread at = first;
    while (!chain.containsKey(at)) {
      BlockedOn.Wait wait = BlockedOn.of(at, sched.registry()::virtualThreads);
      if (wait == null) {
        return null;
      }
      chain.put(at, name(at) + " waits for " + wait.what() + " of " + name(wait.holder()));
      at = wait.holder();
    }
    return String.join("\n", chain.values());
  }

  private static String name(Thread thread) {
    if (thread.isVirtual() && VirtualThreads.executorOf(thread) instanceof G g) {
      String name = thread.getName();
      return "goroutine " + g.id() + (name.isEmpty() ? "" : " \"" + name + "\"");
    }
    return thread.toString();
  }
}
