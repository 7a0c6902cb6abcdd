package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.queue.GlobalQueue;
import io.heddle.internal.queue.IdleList;
import io.heddle.internal.queue.IdleSet;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.trace.SchedLatency;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler: its Ps, Ms and goroutines, and the classes that move them.
 *
 * <p>This class holds what they share. Each operation on it is in a class of its own; see the table
 * of contents in the package documentation.
 */
public final class Sched {
  /*
   * Work conservation is the one promise that spans all classes of this package: no interleaving
   * leaves a runnable G, an idle P, and every M asleep. Two patterns keep it. Both are Go's
   * (proc.go), without its scheduler lock.
   *
   * Submission. The submitter is a goroutine, an M or any other thread that makes g runnable
   * (Ready):
   *   1. Move the status of g to RUNNABLE by compare-and-set. If that fails, g is queued already:
   *      stop.
   *   2. Put g into runNext, a ring or the global queue.
   *   3. Full fence, unless step 2 was a volatile exchange (RunQueue.put without displacement).
   *   4. Read the count of spinning Ms and the idle Ps (Spinners.wakeP). If enough Ms spin, or no P
   *      is idle: stop. Enough is 1; for a thread outside the scheduler it is the length of the
   *      global queue.
   *   5. Increment the count of spinning Ms, acquire an idle P, and wake or start an M with it.
   *   6. If step 5 found no P or no M, make the P idle again, decrement the count, and go back to
   *      step 4.
   * An M that is about to search for work with its own P skips steps 3 to 6 if it will find g
   * itself and no other goroutine waits, or if there is no other P (Ready.putNextAsM,
   * Ready.putYielded).
   *
   * Going to sleep. The sleeper is an M that has found nothing (FindRunnable.giveUp, MPool.stopM):
   *   1. Release the P: set its bit in idlePs, then its word to IDLE.
   *   2. If the M spins, decrement the count of spinning Ms.
   *   3. Full fence.
   *   4. Look at all queues and timers. If there is work and an idle P, acquire the P, spin, and
   *      search again.
   *   5. Become the timekeeper, or enter idleMs. Both are compare-and-sets.
   *   6. Look at all queues and timers once more. If there is work and an idle P, leave idleMs and
   *      search again.
   *   7. Sleep on the note.
   *
   * Why no wakeup is lost. The submitter writes a queue (2) and then reads the idle Ps (4). The
   * sleeper writes the idle P (1) and then reads the queues (4). These four accesses are ordered by
   * full fences or volatile accesses, so at least one of the two sees the write of the other: the
   * submitter finds the idle P and wakes an M, or the sleeper finds g.
   *
   * Why the count of spinning Ms does not break this. The count only saves wakeups. There are two
   *   cases. a. A submitter stops at step 4 because it has read a spinning M. That M decrements the
   *   count
   *      (2) before it looks at all queues (4), so its look sees g. If it stops spinning because it
   *      found work or lost its P, it calls wakeP itself (Spinners.stopSpinningAndWakeNext).
   *   b. A submitter stops at step 4 because it has read the increment of another submitter. If
   *      that other submitter fails at step 5, it decrements the count and looks again (6).
   *
   * Step 6 of the sleeper covers a submitter that found an idle P and no M: see MPool, Ordering.
   *
   * Differences from Go: there is no scheduler lock. Idle Ps are a bit set in addition to each P's
   * own word; idle Ms are a lock-free stack. Every M that releases its P looks at all queues again,
   * whether it was spinning or not, so Go's needspinning flag is unnecessary. A thread outside
   * wakes one M for each goroutine that waits (Ready.putFromOutside).
   *
   * Checked by: the Promela model (docs/internals/model.md) with mutants that leave out one step,
   * SpinnersTest, SchedulerStressTest.
   */
  final SchedConfig config;
  final GlobalQueue<G> globalQueue;

  /** The number of CPUs that the JVM reported when the scheduler was made. */
  final int cpus = Runtime.getRuntime().availableProcessors();

  final IdleSet idlePs = new IdleSet(SchedConfig.MAX_PROCS);
  final IdleList<M> idleMs = new IdleList<>();

  final GoroutineRegistry registry;
  final Spinners spinning;
  final MPool threads;
  final WorkStealing stealing;
  final FindRunnable findRunnable;
  final ScheduleLoop schedule;
  final StopTheWorld world;
  final Shutdown closing;
  final Timekeeper timekeeper;
  final NetPolling net;
  final MonitorListener listener;
  final HandOff handOff;
  final BlockingCalls syscalls;
  final Sysmon sysmon;
  final TraceHooks tracing;
  private final DeferredLog deferredLog;
  final Ready ready;

  /** The deterministic test driver; null in production. */
  final @Nullable Driver driver;

  /**
   * For {@link io.heddle.internal.base.Backoff}: offers the core to another thread of the process.
   */
  static final Runnable OS_YIELD = VirtualThreads::osYield;

  private static final Set<Sched> ALL = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final int serial = SERIAL.incrementAndGet();

  private final Object owner;
  private final Object container;

  /**
   * Asks Ms to leave their fast path: the world stops, or there are chores. It summarizes {@code
   * world.isStopping()} and {@link #hasChores}, which are authoritative, so that an M between two
   * goroutines reads only one field. A writer sets its reason first and this field second. An M
   * clears this field before it reads the reasons, and sets it again if the world is stopping.
   */
  volatile boolean attentionNeeded;

  /** Whether a goroutine's submission ran out of stack, or a message waits to be logged. */
  volatile boolean hasChores;

  /** See {@link #isAdopter}. */
  private volatile boolean adopter;

  /** Null unless latency is measured. Plain: an M that sees a new value late measures late. */
  @Nullable SchedLatency latency;

  /** Makes a scheduler for production; {@code owner} is its public face. */
  public Sched(SchedConfig config, Object owner, Function<Sched, MonitorListener> listener) {
    this(config, owner, listener, null);
  }

  /** Makes a scheduler that {@code driver} drives, if it is not null. */
  public Sched(
      SchedConfig config,
      Object owner,
      Function<Sched, MonitorListener> listener,
      @Nullable Driver driver) {
    VirtualThreads.ensureOpen();
    this.config = config;
    this.driver = driver;
    this.owner = owner;
    globalQueue = new GlobalQueue<>(new RuntimeLock(OS_YIELD));
    deferredLog = new DeferredLog(config.name());
    registry = new GoroutineRegistry(this);
    tracing = new TraceHooks(this);
    spinning = new Spinners(this);
    threads = new MPool(this);
    stealing = new WorkStealing(this);
    findRunnable = new FindRunnable(this);
    schedule = driver == null ? new ScheduleLoop(this) : driver.loopOf(this);
    closing = new Shutdown(this);
    ready = driver == null ? new Ready(this) : driver.readyOf(this);
    timekeeper = new Timekeeper(this);
    net = new NetPolling(this);
    this.listener = listener.apply(this);
    handOff = new HandOff(this);
    syscalls = new BlockingCalls(this);
    sysmon = new Sysmon(this);
    world = new StopTheWorld(this, config.procs());
    container = VirtualThreads.newContainer("heddle/" + config.name(), registry::virtualThreads);
    try {
      threads.startFirst();
      if (driver == null) {
        sysmon.start();
      }
      ALL.add(this);
    } catch (Throwable t) {
      closing.close(() -> {}); // ends the threads that were started
      throw t;
    }
  }

  public String name() {
    return config.name();
  }

  public Object owner() {
    return owner;
  }

  /**
   * Returns a number that distinguishes schedulers of the same name: the number of schedulers made
   * in this process up to this one.
   */
  public int serial() {
    return serial;
  }

  /** Starts to measure, in {@code into}, how long goroutines wait for a P; null stops measuring. */
  public void measure(@Nullable SchedLatency into) {
    latency = into;
  }

  /** Returns the schedulers that are not closed. */
  public static Stream<Sched> all() {
    return ALL.stream();
  }

  /** Returns the scheduler that has {@code owner} as its public face. */
  public static Sched of(Object owner) {
    return all().filter(sched -> sched.owner == owner).findAny().orElseThrow();
  }

  /**
   * Returns the executor for virtual threads of a program that does not use this library. The first
   * time such a thread can run, it becomes a goroutine of this scheduler. After this call {@link
   * #isAdopter} is true.
   */
  public Executor adopter() {
    adopter = true;
    return continuation -> {
      StackHeadroom.ensure();
      adopt(continuation);
    };
  }

  /**
   * Whether this scheduler runs threads of a program that does not use this library. Threads made
   * with plain JDK calls must then look as the JDK makes them, except for their carrier.
   */
  public boolean isAdopter() {
    return adopter;
  }

  /** Returns the calling goroutine, of any scheduler; null if the caller is no goroutine. */
  public static @Nullable G current() {
    // Nothing between the read of the carrier and the read of its goroutine can unmount the caller.
    // So the carrier is still the caller's own.
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    return m == null ? null : m.current();
  }

  /** Returns where the caller's M started its last goroutine; null if no M runs the caller. */
  public static @Nullable LastCreationSite lastSiteOfCaller() {
    M m = M.ofCaller();
    return m == null ? null : m.lastSite;
  }

  /** Starts a goroutine that was made for this scheduler. */
  public void start(G g) {
    StackHeadroom.ensure();
    VirtualThreads.setStarted(g.thread, container);
    boolean pinned = VirtualThreads.pin();
    try {
      if (pinned) {
        ready.start(g);
      } else {
        ready.ready(g);
      }
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
    if (JfrEvents.areOn()) {
      JfrEvents.started(name(), g.id, g.site());
    }
  }

  /** Returns the time on the scale of this scheduler's timers. */
  public long now() {
    return driver == null ? Clock.now() : driver.now();
  }

  /**
   * Returns date and time for the code of a timer that fires. That code runs on an M, not in a
   * goroutine, so {@link SchedClock} would not find the driver.
   */
  public Instant instant() {
    return driver == null ? Instant.now() : driver.instant();
  }

  /** Returns the time {@code nanos} from now; the greatest time if the sum overflows. */
  public long timeAfter(long nanos) {
    return Clock.after(now(), nanos);
  }

  /** Forgets the scheduler. A goroutine started later is not shown in the JDK's thread dumps. */
  void deregister() {
    ALL.remove(this);
    VirtualThreads.deregister(container);
  }

  public int procs() {
    return world.procs();
  }

  /** Changes the number of Ps (rule P1) and returns the old one. */
  public int procs(int n) {
    return world.procs(n);
  }

  public int goroutines() {
    return registry.living();
  }

  public GoroutineRegistry registry() {
    return registry;
  }

  public TraceHooks tracing() {
    return tracing;
  }

  /** Returns the observer that the constructor was given. */
  public MonitorListener listener() {
    return listener;
  }

  public SchedConfig config() {
    return config;
  }

  /**
   * Whether this scheduler is at rest: every M sleeps, every P is idle, and no goroutine is
   * runnable.
   */
  public boolean isQuiet() {
    return threads.idle() == threads.count() && idlePs.size() == procs() && !findRunnable.hasWork();
  }

  /** Returns the Ps. */
  public P[] allPs() {
    return world.all();
  }

  /** Returns the Ms that have been made and have not ended. */
  public Set<M> allMs() {
    return threads.all();
  }

  /** Whether {@code p} is in the set of idle Ps; its own word may say otherwise for a moment. */
  public boolean isInIdleSet(P p) {
    return idlePs.contains(p.number);
  }

  /** Wakes the monitor if it sleeps. */
  public void wakeMonitor() {
    sysmon.wake();
  }

  /** Returns the time of the earliest timer; {@link TimerHeap#NEVER} if there is none. */
  public long earliestTimer() {
    return timekeeper.earliest();
  }

  public HandOff handOffs() {
    return handOff;
  }

  public long preemptions() {
    return sysmon.preemptions();
  }

  /**
   * Ties the calling goroutine to its M: the goroutine runs on no other M, and that M runs no other
   * goroutine. The tie ends when {@link #unlockThread} was called as often (rule G7).
   */
  public static void lockThread() {
    G g = current();
    M m = M.ofCaller();
    if (g != null && m != null) {
      m.lock(g);
      g.locked = true;
    }
  }

  /**
   * Undoes one {@link #lockThread} of the calling goroutine; does nothing if there is none to undo.
   */
  public static void unlockThread() {
    G g = current();
    M m = M.ofCaller();
    if (g != null && m != null && m.threadLock.unlock() && m.threadLock.holder() == null) {
      g.locked = false;
    }
  }

  public Shutdown closing() {
    return closing;
  }

  /** Makes {@code g} runnable. Callable by any thread at any time; never parks. */
  public void ready(G g) {
    ready.ready(g);
  }

  /**
   * Makes a goroutine of a thread that starts. A goroutine made the thread with plain JDK calls, so
   * the thread inherited the executor of its parent. A thread that the JDK made for itself does not
   * become a goroutine.
   */
  void adopt(Runnable continuation) {
    Thread thread = VirtualThreads.threadOf(continuation);
    Executor executor = VirtualThreads.executorOf(thread);
    if (executor instanceof G g && g.thread == thread) {
      g.execute(continuation);
      return;
    }
    if (VirtualThreads.isOfTheJdk(thread.getName())) { // the thread must outlive this scheduler
      VirtualThreads.runByTheJdk(thread, continuation);
      return;
    }
    G child = config.adopted().adopt(this, thread);
    VirtualThreads.adopt(thread, child);
    ready.ready(child);
    if (JfrEvents.areOn()) {
      JfrEvents.started(name(), child.id, null);
    }
  }

  /**
   * Returns the M of this scheduler that runs the caller, or is the caller; null if there is none.
   */
  @Nullable M currentM() {
    M m = M.ofCaller();
    return m != null && m.sched == this ? m : null;
  }

  /**
   * Returns the heap for a timer that the caller arms: the heap of its own P, or of any P if the
   * caller has none.
   */
  public TimerHeap timersOfCaller() {
    M m = currentM();
    P p = m == null ? null : m.p();
    if (p == null) {
      P[] all = world.all();
      p = all[(int) (Thread.currentThread().threadId() % all.length)];
    }
    return p.timers;
  }

  /** Returns the id of the calling goroutine, 0 if the caller is no goroutine of this scheduler. */
  long currentId() {
    M m = currentM();
    G g = m == null ? null : m.current();
    return g == null ? 0 : g.id;
  }

  void uncaught(G g, Throwable e) {
    try {
      config.uncaught().accept(g, e);
    } catch (Throwable inHandler) {
      inHandler.addSuppressed(e);
      deferredLog.logNow("the uncaught handler failed for goroutine " + g.id, inHandler);
    }
  }

  /**
   * Does rare work: repeats submissions that ran out of stack, and logs deferred messages. The P of
   * the calling M, if it has one, must be in state USER, because a logger may block.
   */
  void doChores() {
    hasChores = false;
    try {
      registry.forEach(G::rescue);
    } catch (Throwable t) {
      requestChores(); // for the goroutines not reached yet
      throw t;
    }
    deferredLog.logPending();
  }

  /**
   * Lets an M log an error later, where a logger may block. Callable from anywhere; never throws.
   */
  public void logLater(String what, @Nullable Throwable cause) {
    deferredLog.add(what, cause);
    requestChores();
  }

  /**
   * Lets an M log an error about {@code about} later, without {@code about} if that cannot be
   * converted to a string.
   */
  void logLater(Object about, String what, @Nullable Throwable cause) {
    deferredLog.add(about, what, cause);
    requestChores();
  }

  /**
   * Logs an error on the calling thread, for the case that no M ever becomes free to log it. No
   * goroutine may depend on that thread. Never throws.
   */
  public void logNow(String what) {
    deferredLog.logNow(what, null);
  }

  /** Lets an M log at debug level later. Callable from anywhere; never throws. */
  public void debug(String what) {
    deferredLog.addDebug(what);
    requestChores();
  }

  private void requestChores() {
    hasChores = true;
    attentionNeeded = true;
    sysmon.wake(); // all Ms may be asleep
  }

  P newP(int number) {
    return new P(
        number,
        new RunQueue<>(globalQueue),
        new TimerHeap(OS_YIELD, timekeeper::onEarlierDeadline));
  }
}
