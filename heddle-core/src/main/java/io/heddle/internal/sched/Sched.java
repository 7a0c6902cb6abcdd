package io.heddle.internal.sched;

import io.heddle.internal.admit.DelayGate;
import io.heddle.internal.admit.Gate;
import io.heddle.internal.admit.Gates;
import io.heddle.internal.base.Backoff;
import io.heddle.internal.base.Clock;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.OsPriority;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.note.RuntimeLock;
import io.heddle.internal.part.CpuTotals;
import io.heddle.internal.part.DeferredLog;
import io.heddle.internal.part.LastCreationSite;
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
 *
 * <p>The file is long because it has the fields that all of them share, and the argument that spans
 * them.
 */
public final class Sched {
  /*
   * Work conservation is the only promise that spans all classes of this package: no interleaving
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
   * Steps 3 to 6 are skipped in three cases. There is no other P, and g is in the queue of this P.
   * Or an M is about to search for work with its own P, will find g itself, and no other goroutine
   * waits in its queues (Ready.putNextAsM, Ready.putYielded). Or g has yielded, and its M takes
   * another goroutine from the global queue in exchange (ScheduleLoop.pickNextFast).
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
   * sleeper writes the idle P (1) and then reads the queues (4). Full fences or volatile accesses
   * order these four accesses. So at least one of the two sees the write of the other: the
   * submitter finds the idle P and wakes an M, or the sleeper finds g.
   *
   * Why the count of spinning Ms does not break this. The count only saves wakeups. Two cases:
   *   a. A submitter stops at step 4 because it has read a spinning M. That M decrements the count
   *      (2) before it looks at all queues (4), so its look sees g. If it stops spinning because it
   *      found work or lost its P, it calls wakeP itself (Spinners.stopSpinningAndWakeNext).
   *   b. A submitter stops at step 4 because it has read the increment of another submitter. If
   *      that other submitter fails at step 5, it decrements the count and looks again (6).
   *
   * Step 6 of the sleeper covers a submitter that found an idle P but no M to wake or start: see
   * MPool, Ordering.
   *
   * Differences from Go: there is no scheduler lock. Idle Ps are a bit set in addition to each P's
   * own word; idle Ms are a lock-free stack. Every M that releases its P looks at all queues again,
   * whether it was spinning or not, so Go's needspinning flag is unnecessary. A thread outside
   * wakes an M unless as many Ms spin as goroutines wait in the global queue
   * (Ready.putFromOutside).
   *
   * Checked by: the Promela model (docs/internals/model.md) with mutants that leave out one step,
   * SpinnersTest, SchedulerStressTest.
   */
  final SchedConfig config;
  final GlobalQueue<G> globalQueue;

  /**
   * The number of CPUs that the JVM reported when the scheduler was made; later the number that the
   * container allows, if the Ps follow it. Written by the follower, read by Ms and the monitor.
   */
  volatile int cpus = Runtime.getRuntime().availableProcessors();

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
   * What a thread does between two attempts to take a lock that is held: it lets the operating
   * system run another thread on its core. Not {@code Thread.yield}, because that would unmount a
   * virtual thread.
   */
  static final Runnable OS_YIELD = VirtualThreads::osYield;

  private static final Set<Sched> ALL = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final int serial = SERIAL.incrementAndGet();

  private final Object owner;
  private final Object container;

  /**
   * Asks Ms to leave the fast path from one goroutine to the next ({@link
   * ScheduleLoop#pickNextFast}), because the world stops or there are chores. It is set for two
   * reasons, {@code world.isStopping()} and {@link #hasChores}, which are authoritative. With this
   * summary an M reads only one field between two goroutines. A writer sets its reason first and
   * this field second. An M clears this field before it reads the reasons, and sets it again if the
   * world is stopping.
   */
  volatile boolean attentionNeeded;

  /**
   * Whether there are chores: rare work for the next M that reads this field. There are two kinds.
   * A submission that ran out of stack must be repeated ({@link G#rescue}), or a message waits to
   * be logged.
   */
  volatile boolean hasChores;

  /** See {@link #isAdopter}. */
  private volatile boolean adopter;

  /** How long runnable goroutines wait for a P. */
  final SchedLatency latency = new SchedLatency();

  /** Whether each run is charged with its CPU time. If not, {@link CpuTimes} samples. */
  final boolean exactCpuTime;

  final CpuTotals cpuTotals = new CpuTotals();
  private final Gates gates = new Gates();

  /** Refuses new work if goroutines wait too long for a P; null if overload control is off. */
  private final @Nullable DelayGate delayGate;

  /**
   * Makes a scheduler for production.
   *
   * @param owner the object of the public API through which users reach this scheduler
   * @param listener makes the listener to which sysmon reports what it does
   */
  public Sched(SchedConfig config, Object owner, Function<Sched, MonitorListener> listener) {
    this(config, owner, listener, null);
  }

  /**
   * Makes a scheduler. {@code driver} is the deterministic test driver; null in production. The
   * other parameters are those of {@link #Sched(SchedConfig, Object, Function)}.
   */
  public Sched(
      SchedConfig config,
      Object owner,
      Function<Sched, MonitorListener> listener,
      @Nullable Driver driver) {
    VirtualThreads.ensureOpen();
    if (config.background()) {
      Backoff.napWith(OsPriority::nap);
    }
    this.config = config;
    this.delayGate =
        config.overloadTarget() == 0 || driver != null // a driver runs no probe
            ? null
            : new DelayGate(config.overloadTarget(), System::nanoTime, this::probe);
    this.exactCpuTime = config.exactCpuTime() && driver == null;
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
   * Returns the serial number of this scheduler in this process, from 1. It distinguishes
   * schedulers of the same name.
   */
  public int serial() {
    return serial;
  }

  /** Returns how long runnable goroutines wait for a P. */
  public SchedLatency latency() {
    return latency;
  }

  /** Returns the gate that refuses new work in an overload; null if overload control is off. */
  public @Nullable DelayGate delayGate() {
    return delayGate;
  }

  /** Returns the limits on the number of goroutines of this scheduler. */
  public Gates gates() {
    return gates;
  }

  /** Returns the schedulers that are not closed. */
  public static Stream<Sched> all() {
    return ALL.stream();
  }

  /** Returns the open scheduler that was made with {@code owner}; throws if there is none. */
  public static Sched of(Object owner) {
    return all().filter(sched -> sched.owner == owner).findAny().orElseThrow();
  }

  /**
   * Returns an executor for virtual threads that a program makes with plain JDK calls. When such a
   * thread starts, it becomes a goroutine of this scheduler. After this call {@link #isAdopter} is
   * true.
   */
  public Executor adopter() {
    adopter = true;
    return continuation -> {
      StackHeadroom.ensure();
      adopt(continuation);
    };
  }

  /**
   * Returns an executor like that of {@link #adopter()}, for threads under a limit: the thread that
   * starts such a thread enters {@code gate} first. {@link #isAdopter} must be true already.
   */
  public Executor adopter(Gate gate) {
    return continuation -> {
      StackHeadroom.ensure();
      if (isAdopted(VirtualThreads.threadOf(continuation))) {
        adopt(continuation);
        return;
      }
      enter(gate);
      try {
        adopt(continuation, gate);
      } catch (Throwable t) {
        gate.withdraw();
        throw t;
      }
    };
  }

  /**
   * Enters {@code gate}, for a thread that starts another one. The JDK has pinned a virtual thread
   * there, so a wait blocks its M, which releases its P meanwhile.
   */
  private static void enter(Gate gate) {
    if (gate.tryEnter()) {
      return;
    }
    boolean isMarked = BlockingCalls.enter();
    try {
      boolean _ = gate.enter(); // or throws, because a thread cannot run in its caller
    } finally {
      if (isMarked) {
        BlockingCalls.exit();
      }
    }
  }

  /**
   * Whether {@link #adopter} was called: this scheduler runs threads of a program that does not
   * know Heddle. An exception that leaves such a thread must then have the effect that it has in
   * the JDK. So a thread made with plain JDK calls gets no exception handler of this scheduler.
   */
  public boolean isAdopter() {
    return adopter;
  }

  /** Whether the caller is, or runs on, an M of a background scheduler. */
  public static boolean isCallerInBackground() {
    M m = M.ofCaller();
    return m != null && m.sched.config.background();
  }

  /** Returns the calling goroutine, of any scheduler; null if the caller is no goroutine. */
  public static @Nullable G current() {
    // The caller cannot unmount between the read of its carrier m and the read of m's goroutine. So
    // m still carries the caller at the second read.
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    return m == null ? null : m.current();
  }

  /**
   * Returns the record of the last place at which code on the caller's M created a goroutine; null
   * if no M runs the caller.
   */
  public static @Nullable LastCreationSite lastSiteOfCaller() {
    M m = M.ofCaller();
    return m == null ? null : m.lastSite;
  }

  /** Starts a goroutine that was made for this scheduler. */
  public void start(G g) {
    StackHeadroom.ensure();
    if (!VirtualThreads.writesStates()) {
      g.thread.start(); // which calls G.execute
      traceStart(g);
      return;
    }
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
    traceStart(g);
  }

  /**
   * Starts a goroutine that runs {@code whenRun}. The goroutine is appended to the global queue, so
   * that it runs after the goroutines that are there already. It may come before them on a JDK
   * whose thread states Heddle does not write.
   */
  private void probe(Runnable whenRun) {
    StackHeadroom.ensure();
    G g = new ProbeG(this, whenRun);
    if (!VirtualThreads.writesStates()) {
      g.thread.start(); // then it may be queued before goroutines that wait
      return;
    }
    VirtualThreads.setStarted(g.thread, container);
    boolean pinned = VirtualThreads.pin();
    try {
      ready.startLast(g);
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
  }

  private void traceStart(G g) {
    if (JfrEvents.areOn()) {
      JfrEvents.started(name(), g.id, g.site());
    }
  }

  /** Whether the driver of a test runs this scheduler. */
  public boolean isDriven() {
    return driver != null;
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

  /**
   * Returns the time that is {@code nanos} after {@link #now}; the greatest possible time if the
   * sum overflows.
   */
  public long timeAfter(long nanos) {
    return Clock.after(now(), nanos);
  }

  /**
   * Removes this scheduler from the list of open schedulers. Afterwards the JDK's thread dumps do
   * not show a goroutine that this scheduler starts.
   */
  void deregister() {
    ALL.remove(this);
    VirtualThreads.deregister(container);
  }

  public int procs() {
    return world.procs();
  }

  /**
   * Changes the number of Ps to {@code n} (rule P1), unless that is 0 or less. Returns the old
   * number.
   */
  public int procs(int n) {
    return world.procs(n);
  }

  /**
   * Lets {@link #follow} change the number of Ps, until {@link #procs(int)} is called.
   *
   * @param threadsToo whether it also changes the limit on Ms
   */
  public void beginToFollow(boolean threadsToo) {
    threads.followsMemory = threadsToo;
    world.beginToFollow();
  }

  /** Whether {@link #follow} has an effect. */
  public boolean isFollowing() {
    return world.isFollowing();
  }

  /**
   * Adapts the number of Ps and the limit on Ms to what the container allows now. Does nothing if
   * {@link #isFollowing} is false.
   */
  public void follow(int newCpus, int newMaxThreads) {
    if (!isFollowing()) {
      return;
    }
    cpus = newCpus;
    int n = Math.min(newCpus, SchedConfig.MAX_PROCS);
    int old = world.follow(n);
    if (old != n && isFollowing()) {
      debug(n + " Ps instead of " + old + ", because the container may use " + newCpus + " CPUs");
    }
    threads.follow(newMaxThreads);
  }

  /** Returns the limit on the number of Ms. */
  public int maxThreads() {
    return threads.maxThreads();
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

  /** Returns the listener to which sysmon reports what it does. */
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

  /**
   * Whether {@code p} is in the set of idle Ps. The state in the word of {@code p} is authoritative
   * and may differ for a moment.
   */
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
   * goroutine. The tie ends when {@link #unlockThread} was called as often as this method (rule
   * G7). Does nothing if the caller is no goroutine.
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
   * Undoes one {@link #lockThread} of the calling goroutine. Does nothing if there is none to undo,
   * or if the caller is no goroutine.
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
   * Turns the virtual thread of {@code continuation}, which starts, into a goroutine. The thread
   * was made with plain JDK calls, and so was given the executor of its parent goroutine or of
   * {@link #adopter}. A thread that the JDK made for itself does not become a goroutine.
   */
  void adopt(Runnable continuation) {
    adopt(continuation, null);
  }

  private void adopt(Runnable continuation, @Nullable Gate gate) {
    Thread thread = VirtualThreads.threadOf(continuation);
    Executor executor = VirtualThreads.executorOf(thread);
    if (executor instanceof G g && g.thread == thread) {
      g.execute(continuation);
      return;
    }
    if (VirtualThreads.isOfTheJdk(thread.getName())) { // the thread must outlive this scheduler
      if (gate != null) {
        gate.leave(); // the thread was renamed after it was made
      }
      VirtualThreads.runByTheJdk(thread, continuation);
      return;
    }
    G child = config.adopted().adopt(this, thread, gate);
    VirtualThreads.adopt(thread, child);
    ready.ready(child);
    if (gate != null) {
      gate.started();
    }
    if (JfrEvents.areOn()) {
      JfrEvents.started(name(), child.id, null);
    }
  }

  private static boolean isAdopted(Thread thread) {
    return VirtualThreads.executorOf(thread) instanceof G g && g.thread == thread;
  }

  /**
   * Returns the M of this scheduler that runs the calling goroutine, or that is itself the caller;
   * null if there is none.
   */
  @Nullable M currentM() {
    M m = M.ofCaller();
    return m != null && m.sched == this ? m : null;
  }

  /**
   * Returns the heap for a timer that the caller arms: that of the P of the caller's M. If that M
   * has no P, or no M of this scheduler runs the caller, returns the heap of any P.
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
   * Does the chores: repeats submissions that ran out of stack, and logs deferred messages. The P
   * of the calling M, if it has one, must be in state USER. Sysmon can then retake the P if the
   * logger blocks.
   */
  void doChores() {
    hasChores = false;
    try {
      registry.forEach(G::rescue);
    } catch (Throwable t) {
      requestChores(); // for the goroutines that forEach has not reached
      throw t;
    }
    deferredLog.logPending();
  }

  /**
   * Records an error that an M logs later, as one of its chores, when the logger may block.
   * Callable from anywhere; never throws.
   */
  public void logLater(String what, @Nullable Throwable cause) {
    deferredLog.add(what, cause);
    requestChores();
  }

  /**
   * Like {@link #logLater(String, Throwable)}, with {@code about} as the subject of the message.
   * The subject is omitted if its conversion to a string fails.
   */
  void logLater(Object about, String what, @Nullable Throwable cause) {
    deferredLog.add(about, what, cause);
    requestChores();
  }

  /**
   * Logs an error on the calling thread, for the case that no M ever becomes free to log it. No
   * goroutine may depend on the calling thread, because the logger may block it. Never throws.
   */
  public void logNow(String what) {
    deferredLog.logNow(what, null);
  }

  /** Like {@link #logLater(String, Throwable)}, for a message at debug level. */
  public void debug(String what) {
    deferredLog.addDebug(what);
    requestChores();
  }

  /** Like {@link #logLater(String, Throwable)}, for a warning. */
  void warnLater(String what) {
    deferredLog.addWarning(what);
    requestChores();
  }

  private void requestChores() {
    hasChores = true;
    attentionNeeded = true;
    sysmon.wake(); // all Ms may be asleep; sysmon then wakes one for the chores
  }

  P newP(int number) {
    return new P(
        number,
        new RunQueue<>(globalQueue),
        new TimerHeap(OS_YIELD, timekeeper::onEarlierDeadline));
  }

  /** A goroutine that only measures how long it waits for a P. */
  private static final class ProbeG extends G {
    private final Runnable whenRun;

    ProbeG(Sched sched, Runnable whenRun) {
      super(sched, "heddle-probe", null);
      this.whenRun = whenRun;
    }

    @Override
    public void run() {
      try {
        whenRun.run();
      } finally {
        finished();
      }
    }
  }
}
