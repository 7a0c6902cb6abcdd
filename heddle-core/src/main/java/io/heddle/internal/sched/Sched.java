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
 * A scheduler: Ps, Ms and goroutines, and the verbs that move them.
 *
 * <p>This class holds what they share; what is done with it is in one class per verb.
 */
public final class Sched {
  /*
   * The design, from Go's proc.go, in the order of a goroutine's life:
   *   Ready          a G can go on: queue it, and wake an M if one is needed
   *   Spinning       how many Ms look for work, and when to wake another
   *   Threads        Ms sleep, are woken with a P in their hand, are made, and end
   *   Schedule       what an M does: find a G, run it, again
   *   FindRunnable   where it looks, in which order, and how it gives up
   *   Stealing       the part of that which takes from others
   *   Linger         for how long it looks again
   *   Syscalls       a G blocks its M, and says so
   *   Sysmon         a G blocks its M, or computes, and does not say so
   *   HandOff        its P goes to another M
   *   Timekeeper     timers, and who waits for the next one
   *   Net            sockets, and who looks which are ready
   *   Sockets        how the JDK's sockets come to that
   *   Deadlock       nothing can ever go on
   *   StopTheWorld   changing the number of Ps
   *   Books          who lives, and the counts
   *   Closing        waiting for the end
   *   Tracing        noting all of that
   *
   * Work conservation, the one promise that spans them: no interleaving leaves a runnable G, an idle P, and every M
   * asleep. Whoever queues a G then looks for idle Ps; whoever idles a P then looks at all queues; both in the total
   * order of volatile accesses, so one of the two sees the other. The count of spinning Ms only saves wakeups: a waker
   * that sees enough relies on them to look at all queues again after they have stopped to be counted
   * (FindRunnable.giveUp), and a waker that counted an M and then found no P looks again after it has taken the count
   * back (Spinners.wakeP).
   *
   * Differences from Go: there is no scheduler lock around all this. Idle Ps are a bit set beside each P's own word,
   * idle Ms a lock-free stack, and every M that gives up its P looks at all queues again, spinning or not, which makes
   * Go's needspinning flag unnecessary. From outside one M is woken for each goroutine that waits (Ready).
   */
  final SchedConfig config;
  final GlobalQueue<G> globalQueue;

  /** As the JVM saw them when the scheduler was made. */
  final int cpus = Runtime.getRuntime().availableProcessors();

  final IdleSet idlePs = new IdleSet(SchedConfig.MAX_PROCS);
  final IdleList<M> idleMs = new IdleList<>();

  final SchedCounters books;
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
  private final DeferredLog complaints;
  final Ready ready;

  /** The deterministic test driver; null in production. */
  final @Nullable Driver driver;

  /** For {@link io.heddle.internal.base.Backoff}: offers the core to another thread of the process. */
  static final Runnable OS_YIELD = VirtualThreads::osYield;

  private static final Set<Sched> ALL = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger SERIAL = new AtomicInteger();

  private final int serial = SERIAL.incrementAndGet();

  private final Object owner;
  private final Object container;

  /**
   * There is something out of the ordinary for Ms: the world stops, or there are chores. Set behind what it is about,
   * cleared before that is looked at, and set again while the world stops.
   */
  volatile boolean attentionNeeded;

  /** A goroutine's submission ran out of stack, or there is a complaint to be said. */
  volatile boolean hasChores;

  /** See {@link #isAdopter}. */
  private volatile boolean adopter;

  /** Null unless somebody wants to know. Plain: an M that sees it late measures late. */
  @Nullable SchedLatency latency;

  /** {@code owner} is whoever speaks for this scheduler to the outside. */
  public Sched(SchedConfig config, Object owner, Function<Sched, MonitorListener> listener) {
    this(config, owner, listener, null);
  }

  /** A scheduler that {@code driver}, if it is not null, drives. */
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
    complaints = new DeferredLog(config.name());
    books = new SchedCounters(this);
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
    container = VirtualThreads.newContainer("heddle/" + config.name(), books::virtualThreads);
    try {
      threads.startFirst();
      if (driver == null) {
        sysmon.start();
      }
      ALL.add(this);
    } catch (Throwable t) {
      closing.close(() -> {}); // or its threads would be left behind
      throw t;
    }
  }

  public String name() {
    return config.name();
  }

  public Object owner() {
    return owner;
  }

  /** Tells it from others of the same name, in the order in which they were made. */
  public int serial() {
    return serial;
  }

  /** From now on measures how long goroutines wait for a P, or no more. */
  public void measure(@Nullable SchedLatency into) {
    latency = into;
  }

  /** Those that are not closed. */
  public static Stream<Sched> all() {
    return ALL.stream();
  }

  /** The one that {@code owner} speaks for. */
  public static Sched of(Object owner) {
    return all().filter(sched -> sched.owner == owner).findAny().orElseThrow();
  }

  /**
   * For virtual threads that a program makes which knows nothing of us: the first time one can go on, it becomes a
   * goroutine here. From then on {@link #isAdopter}.
   */
  public Executor adopter() {
    adopter = true;
    return continuation -> {
      StackHeadroom.ensure();
      adopt(continuation);
    };
  }

  /** Whether threads made with plain JDK calls are to be left as the JDK makes them, in all but who carries them. */
  public boolean isAdopter() {
    return adopter;
  }

  /** The goroutine that calls, of whichever scheduler; null if none does. */
  public static @Nullable G current() {
    // Nothing between the two reads can unmount the caller, so the carrier is still its own.
    M m = Thread.currentThread().isVirtual() ? M.ofCaller() : null;
    return m == null ? null : m.current();
  }

  /** Returns what the M that runs the caller remembers of the last start; null if no M runs the caller. */
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

  /** The time that its timers are in. */
  public long now() {
    return driver == null ? Clock.now() : driver.now();
  }

  /** Date and time, for what its timers bring: they go off on an M, which is no goroutine. */
  public Instant instant() {
    return driver == null ? Instant.now() : driver.instant();
  }

  /** The time so many nanoseconds from now; the end of time if that is too far away. */
  public long timeAfter(long nanos) {
    return Clock.after(now(), nanos);
  }

  /** The end: what is still started here is not shown in the JDK's thread dumps. */
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
    return books.living();
  }

  public SchedCounters books() {
    return books;
  }

  public TraceHooks tracing() {
    return tracing;
  }

  /** What observes it: the object that the constructor was given. */
  public MonitorListener listener() {
    return listener;
  }

  public SchedConfig config() {
    return config;
  }

  /** Whether nothing moves: every M sleeps, every P is idle, and no goroutine is runnable. */
  public boolean isQuiet() {
    return threads.idle() == threads.count() && idlePs.size() == procs() && !findRunnable.hasWork();
  }

  /** Its Ps. */
  public P[] allPs() {
    return world.all();
  }

  /** The Ms that have been made and have not ended. */
  public Set<M> allMs() {
    return threads.all();
  }

  /** Whether {@code p} is in the set of idle Ps, whatever its own word says. */
  public boolean isInIdleSet(P p) {
    return idlePs.contains(p.number);
  }

  /** Has the monitor look again if it sleeps. */
  public void wakeMonitor() {
    sysmon.wake();
  }

  /** The time of the earliest timer; {@link TimerHeap#NEVER} if there is none. */
  public long earliestTimer() {
    return timekeeper.earliest();
  }

  public HandOff handOffs() {
    return handOff;
  }

  public long preemptions() {
    return sysmon.preemptions();
  }

  /** The calling goroutine stays on its M, and the M runs no other, until it has unlocked as often (G7). */
  public static void lockThread() {
    G g = current();
    M m = M.ofCaller();
    if (g != null && m != null) {
      m.lock(g);
      g.locked = true;
    }
  }

  /** Takes one {@link #lockThread} back; nothing if there is none. */
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

  /** Makes {@code g} runnable. Any thread, any time; never parks. */
  public void ready(G g) {
    ready.ready(g);
  }

  /**
   * A thread that was made by a goroutine with plain JDK calls, and so got its parent's executor, starts: it becomes a
   * goroutine of its own.
   */
  void adopt(Runnable continuation) {
    Thread thread = VirtualThreads.threadOf(continuation);
    Executor executor = VirtualThreads.executorOf(thread);
    if (executor instanceof G g && g.thread == thread) {
      g.execute(continuation);
      return;
    }
    G child = config.adopted().adopt(this, thread);
    VirtualThreads.adopt(thread, child);
    ready.ready(child);
    if (JfrEvents.areOn()) {
      JfrEvents.started(name(), child.id, null);
    }
  }

  /** The M of this scheduler that runs the caller, or is the caller. */
  @Nullable M currentM() {
    M m = M.ofCaller();
    return m != null && m.sched == this ? m : null;
  }

  /** Where a timer goes that the caller arms: to its own P, or to any. */
  public TimerHeap timersOfCaller() {
    M m = currentM();
    P p = m == null ? null : m.p();
    if (p == null) {
      P[] all = world.all();
      p = all[(int) (Thread.currentThread().threadId() % all.length)];
    }
    return p.timers;
  }

  /** The id of the calling goroutine, 0 if it is not of this scheduler. */
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
      complaints.say("the uncaught handler failed for goroutine " + g.id, inHandler);
    }
  }

  /** What seldom comes up: goroutines whose submission ran out of stack, and complaints. As user code. */
  void doChores() {
    hasChores = false;
    try {
      books.forEach(G::rescue);
    } catch (Throwable t) {
      callForChores(); // for those that are left
      throw t;
    }
    complaints.sayAll();
  }

  /** Has an M say it, later. From anywhere; never throws. */
  public void logLater(String what, @Nullable Throwable cause) {
    complaints.note(what, cause);
    callForChores();
  }

  /** The same about somebody: the text is made here, where it may fail. */
  void logLater(Object about, String what, @Nullable Throwable cause) {
    complaints.note(about, what, cause);
    callForChores();
  }

  /** Says it here, on a thread that nobody waits for: it may be that no M ever comes to say it. Never throws. */
  public void sayNow(String what) {
    complaints.say(what, null);
  }

  /** Has an M say it, later, to who wants to know it all. From anywhere; never throws. */
  public void debug(String what) {
    complaints.noteDebug(what);
    callForChores();
  }

  private void callForChores() {
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
