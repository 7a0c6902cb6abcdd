package io.heddle;

import io.heddle.internal.admit.Gates;
import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.SchedCounters;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the goroutines of a {@link Scheduler} if Heddle is off ({@link MasterSwitch}): each is a
 * virtual thread on the JDK's scheduler. Counts these threads, and waits for them in
 * {@link #close}.
 */
final class PlainScheduler {
  /*
   * Registration: a goroutine of go() is registered before its thread is started. This counts it in
   * alive and started, and adds it to living. The thread of a thread factory is started by the
   * user, so it registers itself when it runs. Until then its goroutine is in the set unstarted,
   * which refers to it weakly because the thread may never be started.
   *
   * Why isQuiet misses no goroutine:
   * - It reads started, alive, the states of the threads in unstarted, and started again.
   * - A registration increments alive, then started. A goroutine decrements alive at its end, after
   *   it has started others.
   * - If alive is 0, all registered goroutines have ended. Every thread that they have started is
   *   registered, too, or is in unstarted with a state other than NEW.
   * - If a goroutine registers between the two reads of started, they differ.
   *
   * A thread that is not one of these goroutines may start one while another thread closes the
   * scheduler. The starter increments alive and then reads closing. The closer writes closing and
   * then reads alive. So either the start is refused, or the close waits for the goroutine.
   *
   * Checked by: SwitchedOffTest.
   */
  private static final System.Logger LOG = System.getLogger("io.heddle");

  private final Scheduler owner;
  private final String name;
  private final BiConsumer<? super Goroutine, ? super Throwable> handler;
  private final PlainTimers timers;
  private final Gates gates = new Gates();

  private final Set<PlainGoroutine> living = ConcurrentHashMap.newKeySet();
  private final Set<PlainGoroutine> unstarted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final AtomicLong alive = new AtomicLong();
  private final AtomicLong started = new AtomicLong();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  PlainScheduler(
      Scheduler owner, String name, BiConsumer<? super Goroutine, ? super Throwable> handler) {
    this.owner = owner;
    this.name = name;
    this.handler = handler;
    this.timers = new PlainTimers(name);
  }

  Scheduler owner() {
    return owner;
  }

  String name() {
    return name;
  }

  Gates gates() {
    return gates;
  }

  PlainTimers timers() {
    return timers;
  }

  /**
   * Starts a goroutine. Throws if this scheduler is closed or closing, and the caller is not one of
   * its goroutines.
   *
   * @param name the name; null for none
   * @param site the creation site; null if it is not known
   */
  PlainGoroutine start(@Nullable String name, Task task, @Nullable StackTraceElement site) {
    return start(new PlainGoroutine(this, name, task, site), isInside());
  }

  /**
   * Starts a goroutine for the library itself, such as the code of a timer. Does so even if this
   * scheduler is closing. {@code site} is the creation site; null if it is not known.
   */
  void startOwn(Task task, @Nullable StackTraceElement site) {
    PlainGoroutine _ = start(new PlainGoroutine(this, null, task, site), true);
  }

  private PlainGoroutine start(PlainGoroutine g, boolean mayStart) {
    register(g);
    try {
      if (closing && !mayStart) {
        throw new IllegalStateException(owner.closedMessage());
      }
      g.thread().start();
    } catch (Throwable t) {
      ends(g);
      throw t;
    }
    return g;
  }

  /**
   * Makes the thread of a goroutine, which the caller will start. {@code site} is the creation
   * site; null if it is not known.
   */
  Thread newThread(Task task, @Nullable StackTraceElement site) {
    PlainGoroutine g = new PlainGoroutine(this, null, task, site);
    unstarted.add(g);
    return g.thread();
  }

  /**
   * Registers {@code g} if its thread came from {@link #newThread}; other goroutines are registered
   * already. Called by {@code g} before its task.
   */
  void begins(PlainGoroutine g) {
    if (g.id() == 0) {
      register(g);
      unstarted.remove(g);
    }
  }

  /**
   * Records that {@code g} has ended. Called by {@code g} after its task, or by its creator if the
   * start failed.
   */
  void ends(PlainGoroutine g) {
    living.remove(g);
    alive.decrementAndGet();
  }

  private void register(PlainGoroutine g) {
    alive.incrementAndGet();
    g.number(started.incrementAndGet());
    living.add(g);
  }

  void uncaught(PlainGoroutine g, Throwable thrown) {
    try {
      handler.accept(g, thrown);
    } catch (Throwable inHandler) {
      inHandler.addSuppressed(thrown);
      log("the uncaught handler failed for goroutine " + g.id(), inHandler);
    }
  }

  int goroutines() {
    return (int) (alive.get() + startedByOthers().count());
  }

  boolean isClosing() {
    return closing;
  }

  void beginClosing() {
    closing = true;
  }

  /**
   * Waits until all goroutines have ended, and then ends the timers. An interrupt of the caller is
   * passed on to the goroutines. The wait goes on, and the caller's interrupt flag is set after it.
   */
  void close() {
    closing = true;
    boolean interrupted = false;
    while (!isQuiet()) {
      try {
        PlainGoroutine any = all().findAny().orElse(null);
        if (any == null) {
          Thread.yield(); // a goroutine begins or ends at this moment
        } else {
          any.join();
        }
      } catch (InterruptedException e) {
        interrupted = true;
        interruptAll();
      }
    }
    timers.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isQuiet() {
    long before = started.get();
    return alive.get() == 0 && startedByOthers().findAny().isEmpty() && started.get() == before;
  }

  void interruptAll() {
    all().forEach(PlainGoroutine::interrupt);
  }

  /** Returns the largest number of virtual threads that the JDK runs at a time. */
  int procs() {
    return VirtualThreads.parallelismOfTheJdk();
  }

  Stats stats() {
    long all = started.get();
    long now = alive.get();
    return new Stats(
        procs(), 0, 0, 0, 0, (int) now, 0, new int[0], all, all - now, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  String dump() {
    return Dump.of(head(), subjects());
  }

  String dumpGrouped() {
    return Dump.grouped(head(), subjects());
  }

  /**
   * Returns the number of goroutines for each wait reason. Goroutines that do not wait are under
   * {@code running}.
   */
  Map<String, Integer> byState() {
    Map<String, Integer> counts = new TreeMap<>();
    all()
        .forEach(
            g -> {
              String reason = g.waitReason();
              counts.merge(reason.isEmpty() ? "running" : reason, 1, Integer::sum);
            });
    return counts;
  }

  /**
   * Counts the goroutines by state and kind of wait. Those that do not wait count as running,
   * because the JDK does not tell which of them wait for a carrier.
   */
  SchedCounters.Tally tally() {
    SchedCounters.Tally tally = SchedCounters.Tally.empty();
    all().forEach(g -> tally.add(g.waitReason()));
    return tally;
  }

  /**
   * Logs that {@code what} has no effect because Heddle is off. Does so only once for each {@code
   * what}.
   */
  void warnOfNoEffect(String what) {
    if (warned.add(what)) {
      LOG.log(System.Logger.Level.WARNING, MasterSwitch.missing(what + " has no effect"));
    }
  }

  void log(String what, @Nullable Throwable cause) {
    LOG.log(System.Logger.Level.ERROR, "scheduler " + name + ": " + what, cause);
  }

  private String head() {
    return "scheduler "
        + name
        + ": "
        + alive.get()
        + (alive.get() == 1 ? " goroutine" : " goroutines")
        + ", "
        + MasterSwitch.missing("no Ps and Ms")
        + "\n";
  }

  private List<Dump.Subject> subjects() {
    return all().<Dump.Subject>map(PlainSubject::new).toList();
  }

  /** A goroutine as a dump shows it. */
  private record PlainSubject(PlainGoroutine g) implements Dump.Subject {
    @Override
    public long id() {
      return g.id();
    }

    @Override
    public Thread thread() {
      return g.thread();
    }

    @Override
    public String doing() {
      String reason = g.waitReason();
      return reason.isEmpty() ? "running" : reason;
    }

    @Override
    public @Nullable StackTraceElement site() {
      return g.site();
    }

    @Override
    public String createdBy() {
      return g.createdBy();
    }
  }

  private boolean isInside() {
    PlainGoroutine caller = PlainGoroutine.current();
    return caller != null && caller.scheduler() == this;
  }

  private Stream<PlainGoroutine> all() {
    return Stream.concat(living.stream(), startedByOthers());
  }

  /** Returns the goroutines whose thread the user has started and that are not yet registered. */
  private Stream<PlainGoroutine> startedByOthers() {
    synchronized (unstarted) {
      return unstarted.stream()
          .filter(g -> g.id() == 0 && g.thread().getState() != Thread.State.NEW)
          .toList()
          .stream();
    }
  }
}
