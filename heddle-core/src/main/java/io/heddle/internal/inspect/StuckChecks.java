package io.heddle.internal.inspect;

import io.heddle.internal.base.ShownTable;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.sched.Sched;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The checks of a running program: goroutines that wait for each other ({@link WaitCycles}), and
 * goroutines that nothing can wake ({@link LeakSearch}). A check runs when it is asked for, or at
 * regular intervals. It runs on a daemon thread of its own and looks at all schedulers, because
 * their goroutines may wait for each other.
 */
public final class StuckChecks {
  /**
   * How long a goroutine must have waited to be checked. Shorter waits are normal, and reading them
   * would only cost time.
   */
  public static final long MIN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The largest number of JFR events that one check writes for each scheduler. */
  private static final int MAX_EVENTS = 1_000;

  private static final System.Logger LOG = System.getLogger("io.heddle");
  private static final AtomicBoolean SHOWN = new AtomicBoolean();
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private StuckChecks() {}

  /**
   * Returns the cycles in which goroutines wait for each other and that contain a goroutine of
   * {@code sched}. Tells threads whose main goroutine waits for a cycle.
   *
   * @param minNanos about how long the goroutines must have waited
   */
  public static List<List<StuckReport>> deadlocked(Sched sched, long minNanos) {
    return CheckThread.call(() -> checkCycles(minNanos)).getOrDefault(sched, List.of());
  }

  /**
   * Returns the goroutines of {@code sched} that wait for objects that no other thread can reach.
   * Runs the garbage collector. Tells threads whose main goroutine is one of them.
   *
   * @param minNanos about how long the goroutines must have waited
   * @throws IllegalStateException if the collector does not run when asked, or if the JVM does not
   *     enqueue references
   */
  public static List<StuckReport> leaked(Sched sched, long minNanos) {
    return CheckThread.call(() -> checkLeaks(minNanos)).getOrDefault(sched, List.of());
  }

  /** Starts the thread that checks at regular intervals, unless it runs already. */
  public static void startOnce(Duration interval) {
    if (STARTED.compareAndSet(false, true)) {
      showOnce();
      DaemonThreads.start("heddle-leakcheck", () -> checkEvery(interval.toNanos()));
    }
  }

  private static void checkEvery(long nanos) {
    for (; ; ) {
      LockSupport.parkNanos(nanos);
      try {
        checkCycles(MIN_WAIT_NANOS);
        checkLeaks(MIN_WAIT_NANOS);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.log(Level.WARNING, "the check for deadlocks and leaks failed", e);
      }
    }
  }

  /** Returns the open schedulers that are checked. */
  static Stream<Sched> schedulers() {
    return Sched.all().filter(sched -> !sched.isDriven() && sched.listener() instanceof Inspector);
  }

  private static Map<Sched, List<List<StuckReport>>> checkCycles(long minNanos) {
    showOnce();
    WaitCycles waits = WaitCycles.read(minNanos);
    Map<Sched, List<List<StuckReport>>> found = new HashMap<>();
    for (List<WaitCycles.WaitLink> cycle : waits.cycles()) {
      List<StuckReport> members =
          cycle.stream().map(link -> StuckReport.of(link.g(), link.holder(), true)).toList();
      cycle.stream()
          .map(link -> link.g().sched())
          .distinct()
          .forEach(sched -> found.computeIfAbsent(sched, _ -> new ArrayList<>()).add(members));
    }
    schedulers()
        .forEach(
            sched -> {
              Inspector inspector = Inspector.of(sched);
              List<List<StuckReport>> its = found.getOrDefault(sched, List.of());
              report(sched, "deadlocked", inspector.checks().setCycles(its));
              inspector.deadlocks().onCycles(waits);
            });
    return found;
  }

  private static Map<Sched, List<StuckReport>> checkLeaks(long minNanos) {
    showOnce();
    Map<Sched, List<StuckReport>> found = new HashMap<>();
    LeakSearch.find(minNanos, leaked -> record(leaked, found));
    return found;
  }

  private static void record(
      Map<Sched, List<StuckReport>> found, Map<Sched, List<StuckReport>> result) {
    result.putAll(found);
    schedulers()
        .forEach(
            sched -> {
              List<StuckReport> its = found.getOrDefault(sched, List.of());
              report(sched, "leaked", Inspector.of(sched).checks().setLeaked(its));
            });
  }

  /** Tells JFR and the log what a check has found and the check before has not. */
  private static void report(Sched sched, String what, List<StuckReport> fresh) {
    if (fresh.isEmpty()) {
      return;
    }
    fresh.stream()
        .limit(MAX_EVENTS)
        .forEach(
            g ->
                JfrEvents.stuck(
                    sched.name(), g.id(), what, g.holder().isEmpty() ? g.reason() : g.holder()));
    String all = (fresh.size() == 1 ? "1 goroutine" : fresh.size() + " goroutines");
    LOG.log(
        Level.WARNING,
        all
            + " of scheduler "
            + sched.name()
            + ' '
            + what
            + ", such as "
            + fresh.getFirst().title());
  }

  /** Shows the results on the dashboard, from the first check on. */
  private static void showOnce() {
    if (SHOWN.compareAndSet(false, true)) {
      new ShownTable(
              "Deadlocks and leaks, as of the last check",
              List.of("scheduler"),
              List.of(
                  new ShownTable.Column(
                      "deadlocked", "", false, "Goroutines that wait for each other."),
                  new ShownTable.Column("leaked", "", false, "Goroutines that nothing can wake.")),
              StuckChecks::rows)
          .show();
    }
  }

  private static void rows(List<ShownTable.TableRow> rows) {
    schedulers()
        .forEach(
            sched -> {
              CheckResults last = Inspector.of(sched).checks();
              double[] figures = {last.deadlocked(), last.leaked().size()};
              rows.add(new ShownTable.TableRow(List.of(sched.name()), figures));
            });
  }
}
