package io.heddle.faults;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.Trace;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedCounters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One run of the {@link Workload} with a fault, on its own scheduler, from its creation to its end.
 */
final class OomCase {
  /** A goroutine that has not come after this time is lost, on any machine. */
  private static final long PATIENCE =
      Duration.ofSeconds(Integer.getInteger("faults.patience", 20)).toNanos();

  private static final long GRACE = Duration.ofMillis(500).toNanos();
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final String name = "f" + SERIAL.incrementAndGet();
  private volatile boolean told;
  private long toldAt;

  /** A violated promise. */
  static final class Wrong extends Exception {
    Wrong(String what) {
      super(what);
    }
  }

  /** Runs the case; throws what is wrong. */
  void run() throws Wrong {
    Scheduler scheduler = build();
    Trace trace = trace(scheduler);
    List<Unit> units = new Workload(scheduler).start();
    try {
      await(() -> areOver(units), () -> remains(scheduler, units));
      for (Unit unit : units) {
        if (!unit.verdict().isEmpty()) {
          throw new Wrong(unit.verdict());
        }
      }
      if (Inject.hasThrown()) {
        Inject.rest();
        probe(scheduler);
      }
    } finally {
      told |= Inject.hasThrown();
    }
    if (trace != null) {
      closeTrace(trace);
    }
    close(scheduler);
    Inject.rest();
    await(
        () -> threads().isEmpty(),
        () -> "threads are left behind: " + threads() + "\n" + platformThreads());
    if (isAdopting()) {
      settle(Scheduler.shared());
    }
  }

  private Scheduler build() throws Wrong {
    for (; ; ) {
      try {
        return Scheduler.builder()
            .name(name)
            .procs(2)
            .maxThreads(Integer.getInteger("faults.threads", 1000))
            .uncaught((_, e) -> told |= Unit.isFault(e))
            .build();
      } catch (Throwable t) {
        if (!Unit.isFault(t)) {
          throw new Wrong("build: " + t);
        }
        await(() -> threads().isEmpty(), () -> "a failed build leaves " + threads());
      }
    }
  }

  private Trace trace(Scheduler scheduler) throws Wrong {
    String file = System.getProperty("faults.trace");
    for (; file != null; ) {
      try {
        return scheduler.trace(Path.of(file));
      } catch (Throwable t) {
        if (!Unit.isFault(t)) {
          throw new Wrong("trace: " + t);
        }
      }
    }
    return null;
  }

  private static void closeTrace(Trace trace) {
    try {
      trace.close();
    } catch (OutOfMemoryError e) {
      trace.close(); // it may already have been closed; otherwise the scheduler closes it
    }
  }

  /**
   * When all other participants have come as far as they can, interrupts those that were told of a
   * fault.
   */
  private boolean areOver(List<Unit> units) {
    boolean over = true;
    for (Unit unit : units) {
      if (!unit.isOver()) {
        over = false;
        if ((unit.wasTold() || isToldLongAgo()) && !isStuck(unit)) {
          unit.tell();
          unit.interrupt();
        }
      }
    }
    return over;
  }

  /** If the uncaught handler was told on behalf of others, these had the time to go on. */
  private boolean isToldLongAgo() {
    if (told && toldAt == 0) {
      toldAt = System.nanoTime();
    }
    return told && System.nanoTime() - toldAt > GRACE;
  }

  /** Whether a participant keeps waiting forever although its wait is over. */
  private static boolean isStuck(Unit unit) {
    return unit.stuck() > 0;
  }

  /** Checks that everything still works. */
  private void probe(Scheduler scheduler) throws Wrong {
    AtomicInteger runs = new AtomicInteger();
    Chan<Integer> chan = Chan.make();
    Unit unit = new Unit("probe", scheduler);
    for (int i = 0; i < 20; i++) {
      unit.go(
          () -> {
            Go.sleep(Duration.ofNanos(100_000));
            chan.send(1);
          });
    }
    unit.go(
        () -> {
          for (int i = 0; i < 20; i++) {
            runs.addAndGet(chan.receive());
          }
        });
    await(() -> unit.isOver() && runs.get() == 20, () -> remains(scheduler, List.of(unit)));
    settle(scheduler);
  }

  /**
   * Waits until the scheduler is idle and its figures agree. Both are read one after the other, and
   * a timer that is left over may wake an M in between: what counts is that they agree in the end.
   */
  private static void settle(Scheduler scheduler) throws Wrong {
    Sched sched = Sched.of(scheduler);
    await(
        () -> scheduler.goroutines() == 0 && isIdle(sched) && violation(sched).isEmpty(),
        () -> "never idle: " + violation(sched) + "\n" + state(scheduler));
  }

  /** What is wrong in a scheduler that is idle; empty if nothing is. */
  private static String violation(Sched sched) {
    try {
      Invariants.check(sched);
      return "";
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static boolean isIdle(Sched sched) {
    SchedCounters counters = SchedCounters.of(sched);
    return counters.idleProcs() == sched.procs()
        && counters.idleThreads() == counters.threads()
        && counters.spinningThreads() == 0;
  }

  private void close(Scheduler scheduler) throws Wrong {
    Unit closing = new Unit("close", scheduler);
    closing.outside(
        () -> {
          try {
            scheduler.close();
          } catch (OutOfMemoryError e) {
            scheduler.close();
          }
        });
    await(closing::isOver, () -> remains(scheduler, List.of(closing)));
    if (!closing.verdict().isEmpty()) {
      throw new Wrong(closing.verdict());
    }
  }

  private List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(thread -> thread.startsWith("heddle-" + name + "-"))
        .toList();
  }

  private static boolean isAdopting() {
    return Boolean.getBoolean("faults.adopt");
  }

  private static void await(BooleanSupplier holds, java.util.function.Supplier<String> otherwise)
      throws Wrong {
    long start = System.nanoTime();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE) {
        throw new Wrong(otherwise.get());
      }
      LockSupport.parkNanos(200_000);
    }
  }

  private static String remains(Scheduler scheduler, List<Unit> units) {
    StringBuilder text = new StringBuilder("not over:");
    units.stream()
        .filter(unit -> !unit.isOver())
        .forEach(unit -> text.append('\n').append(unit.remains()));
    return text.append('\n').append(state(scheduler)).toString();
  }

  private static String state(Scheduler scheduler) {
    return scheduler.stats() + "\n" + scheduler.dump() + "\n" + platformThreads();
  }

  private static String platformThreads() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              if (thread.getName().startsWith("heddle-")) {
                text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
                for (StackTraceElement frame : stack) {
                  text.append("    ").append(frame).append('\n');
                }
              }
            });
    return text.toString();
  }
}
