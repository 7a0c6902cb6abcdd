package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.base.Counter;
import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.part.YieldFlag;
import io.heddle.internal.policy.MonitorPacing;
import io.heddle.internal.policy.RetakePolicy;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The monitor: a thread without a P that retakes Ps from goroutines that keep them too long (rules
 * S1 to S3, S7).
 *
 * <p>The file is long because sysmon observes each P, and acts on what the policies decide, with
 * the same fields.
 */
public final class Sysmon {
  /*
   * Sysmon looks at each P again and again. It compares the epoch of the P, and the tick of its M
   * (the number of its slice), with the last look. If both are the same, the M is still in the same
   * time slice. Then RetakePolicy decides. A goroutine that has used up its slice is asked to
   * yield, which it does at its next scheduling point. If it has not done so by the next look, the
   * P can be retaken by force: if others wait for it, or if the goroutine is in native code or
   * blocked. Then another M gets the P, and the goroutine continues without a P.
   * If the agent has woven checks into code (S6), the goroutine first gets time to reach a check.
   * This is some CPU time, but at most another slice, because the goroutine may be in native code
   * by now.
   *
   * A slice is measured by the clock. If the machine is oversubscribed, an M may own a P and still
   * wait for a CPU. Moving that P to another thread would add one more thread that wants a CPU. So
   * sysmon does not retake from a runnable M that has not used a slice of CPU time yet, for a
   * limited number of slices. Linux tells which threads want a CPU. Where this is not known, and
   * there are more Ps than CPUs, an M keeps its P until it has had its share of the time.
   *
   * Going to sleep.
   *   Sysmon: 1. Set asleep. 2. Look at all Ps and queues once more.
   *   A thread that acquires an idle P, or that has queued work and obtained no M for it: 1. Do
   *   that. 2. Read asleep, and wake sysmon if it is set.
   * All accesses are volatile. So either sysmon's look sees the change, or the thread sees asleep.
   *
   * Checked by: SysmonTest, RetakePolicyTest, MonitorPacingTest, StarvationTest, OsThreadTest.
   */

  /**
   * The time slice divided by this number is the grace: the CPU time that a goroutine has to reach
   * a check after it was asked to yield. With a slice of 10 ms the grace is 2 ms.
   */
  private static final int GRACE_DIVISOR = 5;

  /**
   * For how many slices a straggler (a goroutine that computes without a P) is asked to yield if it
   * gets no CPU; at most {@link #MAX_ASKED_NANOS}. Then it is not asked for a while: see {@link
   * Stragglers}.
   */
  private static final int MAX_ASKED_SLICES = 10;

  private static final long MAX_ASKED_NANOS = 1_000_000_000;

  /** How long the monitor sleeps at most if {@link MonitorListener#onDoze} has returned true. */
  private static final long DOZE_NANOS = 50_000_000;

  private final Sched sched;
  private final long timeSlice;
  private final long grace;
  private final long longestAsked;
  private final MonitorPacing pacing;
  private final Observation[] seen = new Observation[SchedConfig.MAX_PROCS];
  private final Thread thread;
  private final YieldFlag yieldFlag = new YieldFlag();
  private final Stragglers stragglers = new Stragglers();

  private volatile boolean asleep;
  private volatile boolean over;
  private volatile int coarseTime = ticks(Clock.now());
  private final Counter preemptions = new Counter();

  // Used by the monitor's own thread alone.
  private boolean awaits; // whether a goroutine that still has its P must reach a yield check
  private @Nullable OsThread osThread;

  Sysmon(Sched sched) {
    this.sched = sched;
    this.timeSlice = sched.config.timeSlice();
    this.grace = timeSlice / GRACE_DIVISOR;
    this.longestAsked = Math.min(MAX_ASKED_SLICES * timeSlice, MAX_ASKED_NANOS);
    this.pacing = new MonitorPacing(timeSlice);
    this.thread =
        Thread.ofPlatform()
            .group(SystemThreadGroup.newChild())
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("heddle-" + sched.name() + "-sysmon")
            .unstarted(this::run);
  }

  /** Whether {@code thread} is the thread of a monitor. */
  public static boolean isMonitorThread(Thread thread) {
    return thread.getName().startsWith("heddle-") && thread.getName().endsWith("-sysmon");
  }

  void start() {
    thread.start();
  }

  /** Makes the monitor end, and returns its thread, so that the caller can wait for the end. */
  Thread end() {
    over = true;
    LockSupport.unpark(thread);
    return thread;
  }

  long preemptions() {
    return preemptions.get();
  }

  boolean isAsleep() {
    return asleep;
  }

  /**
   * Called by an M that has just been counted as asleep. Either the monitor or the M tells the
   * listener. The monitor sets {@code asleep} before it calls {@code onQuiet} and falls asleep. The
   * M is counted before it reads {@code asleep}. Both are volatile, so {@code onQuiet} counts the M
   * as asleep, or the M sees that {@code asleep} is set.
   */
  void onMAsleep() {
    if (asleep) {
      sched.listener.onMAsleep();
    }
  }

  /** Wakes the monitor if it sleeps, because something has begun that it should watch. */
  void wake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  /**
   * Returns the coarse time, in units of about a millisecond: the time of the monitor's last look,
   * or of the last {@link #refreshCoarseTime} if that is later. The int wraps around after some
   * seven weeks.
   */
  int coarseTime() {
    return coarseTime;
  }

  /**
   * Sets the coarse time to the present. Called by an M that has acquired a P, because the monitor,
   * which otherwise sets the coarse time, may have slept until now.
   */
  void refreshCoarseTime() {
    coarseTime = ticks(Clock.now());
  }

  /** Returns how long ago the coarse time {@code time} was, in nanoseconds. */
  static long since(int time) {
    return (long) (ticks(Clock.now()) - time) << 20;
  }

  private static int ticks(long nanos) {
    return (int) (nanos >>> 20);
  }

  private void run() {
    while (!over) {
      try {
        if (pacing.maySleep()) {
          sleep();
        }
        LockSupport.parkNanos(this, pacing.pauseNanos());
        boolean _ = Thread.interrupted(); // otherwise the next parkNanos would return at once
        look(Clock.now());
      } catch (Throwable t) {
        sched.logLater("the monitor goes on after an error", t);
        pacing.failed();
      }
    }
    yieldFlag.set(false);
    if (osThread != null) {
      osThread.close();
    }
  }

  /** Sleeps until {@link #wake} or {@link #end}, unless the last look finds something to watch. */
  private void sleep() {
    yieldFlag.set(false);
    asleep = true; // before the look: see onMAsleep
    sched.listener.onQuiet();
    while (asleep && !over && !mustWatch()) {
      if (sched.listener.onDoze()) {
        LockSupport.parkNanos(this, DOZE_NANOS);
      } else {
        LockSupport.park(this);
      }
      boolean _ = Thread.interrupted();
    }
    asleep = false;
    pacing.restart();
  }

  /** Whether the monitor must stay awake: a P is in use, or work waits. */
  private boolean mustWatch() {
    return sched.idlePs.size() < sched.procs() || hasUndone();
  }

  /**
   * Whether work waits: queued goroutines, due timers, chores, or timers and sockets that no
   * timekeeper watches.
   */
  private boolean hasUndone() {
    return sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched() || sched.hasChores;
  }

  /** Looks at all Ps, stragglers, sockets and queues once, and sets the pause to the next look. */
  private void look(long now) {
    coarseTime = ticks(now);
    boolean acted = false;
    awaits = false;
    for (P p : sched.world.all()) {
      acted |= !sched.world.isStopping() && look(p, now);
    }
    stragglers.find(sched.threads.all(), now, grace);
    boolean asks = stragglers.advance(now, longestAsked);
    yieldFlag.set(awaits || asks);
    acted |= sched.net.pollLate();
    if (hasUndone() && sched.spinning.hasIdleP()) {
      sched.spinning.wakeP(); // an earlier waker obtained no M, or had no stack left for it
    }
    sched.listener.onLook(now);
    pacing.looked(acted, asks || mustWatch());
    if (pacing.mustCheckDeadlock()) {
      sched.listener.onQuiet();
    }
  }

  /**
   * Looks at one P. Returns true if the next look should come soon: the monitor has asked the
   * goroutine to yield, has retaken the P, or waits for the goroutine to reach a check.
   */
  private boolean look(P p, long now) {
    Observation s = observationOf(p);
    long epoch = p.epochInUser();
    M m = p.m();
    if (epoch < 0 || m == null) {
      s.epoch = -1;
      return false;
    }
    int tick = m.slice.tick();
    if (s.epoch != epoch || s.tick != tick) {
      s.begin(epoch, m, tick, now);
      return false;
    }
    s.now = now;
    return act(s, RetakePolicy.decide(s));
  }

  /** Does what {@code verdict} says. Returns what {@link #look(P, long)} must return. */
  private boolean act(Observation s, RetakePolicy.Verdict verdict) {
    return switch (verdict) {
      case NOTHING -> false;
      case ASK -> ask(s);
      case WAIT_FOR_CPU -> {
        // Once the M is on a CPU, its woven code must see the yield flag, so the flag stays up. The
        // grace (the time to reach a check) begins only then, so awaitedSince is reset.
        awaits |= YieldFlag.isPossible() && s.isWorkWaiting();
        s.awaitedSince = 0;
        yield false;
      }
      case MEASURE_AGAIN -> {
        if (s.now - s.cpuTimeSince >= timeSlice) {
          // The goroutine has computed since the last measurement. A new measurement tells at a
          // later look whether it still computes, or is blocked in native code by then.
          s.measure();
        }
        yield false;
      }
      case WAIT_FOR_CHECK -> {
        awaits = true;
        yield true;
      }
      case RETAKE_PINNED -> retake(s, HandOff.Reason.PINNED);
      case RETAKE_COMPUTING -> retake(s, HandOff.Reason.COMPUTING);
      case RETAKE_NATIVE -> retake(s, HandOff.Reason.NATIVE);
    };
  }

  /** Ends the slice: asks the goroutine to yield. Returns true, because the monitor has acted. */
  private boolean ask(Observation s) {
    s.asked = true;
    preemptions.add(1);
    s.m.slice.end();
    if (s.isWorkWaiting() && s.mayReachCheck()) {
      awaits = true;
    }
    sched.tracing.preempt(s.p);
    return true;
  }

  /** Returns whether the thread of {@code m} wants a CPU, according to the operating system. */
  private OsThread.RunState runStateOf(M m) {
    if (m.osThread() == OsThread.NONE) {
      return OsThread.RunState.UNKNOWN;
    }
    if (osThread == null) {
      osThread = new OsThread();
    }
    return osThread.wishOf(m.osThread());
  }

  /** Whether the thread of {@code m} waits or is blocked. */
  static boolean isWaiting(M m) {
    return switch (m.getState()) {
      case WAITING, TIMED_WAITING, BLOCKED -> true;
      default -> false;
    };
  }

  /**
   * Takes the P from its M by force, and gives it to another M or makes it idle. Returns false if
   * the M is no longer in user code with this P.
   */
  private boolean retake(Observation s, HandOff.Reason reason) {
    M m = s.m;
    G g = m.current();
    if (!s.p.tryRetake(s.epoch)) {
      return false;
    }
    sched.tracing.retake(s.p, s.epoch, reason);
    try {
      sched.handOff.recordHandOff(reason);
    } finally {
      sched.handOff.handOff(s.p); // even if there is no memory for the record
    }
    stragglers.add(m, s.tick, s.now, grace, reason == HandOff.Reason.PINNED);
    sched.listener.onRetake(reason, m, g); // after the hand-off: may call the user's logger
    return true;
  }

  private Observation observationOf(P p) {
    Observation s = seen[p.number];
    if (s == null || s.p != p) {
      s = new Observation(p);
      seen[p.number] = s;
    }
    return s;
  }

  /** What the monitor has seen of a P in the present slice. */
  private final class Observation implements RetakePolicy.Situation {
    final P p;
    long epoch = -1;

    // Facts about the slice that the epoch and the tick identify; set by begin. since: when the
    // monitor first saw the slice. asked: whether the monitor has asked the goroutine to yield.
    // firstCpuTime: the CPU time of the M at since. cpuTime, cpuTimeSince: its CPU time at the last
    // measurement, and the time of that.
    @SuppressWarnings("NullAway.Init")
    M m;

    int tick;
    boolean asked;
    private long since;
    private long firstCpuTime;
    private long cpuTime;
    long cpuTimeSince;

    /**
     * The time from which the goroutine's woven code was given the grace to reach a check; 0 if it
     * was given none yet.
     */
    long awaitedSince;

    private long awaitedCpuTime; // the CPU time of the M at awaitedSince

    /** The time of the present look. */
    long now;

    Observation(P p) {
      this.p = p;
    }

    void begin(long newEpoch, M newM, int newTick, long time) {
      epoch = newEpoch;
      m = newM;
      tick = newTick;
      since = time;
      now = time;
      measure();
      firstCpuTime = cpuTime;
      asked = false;
      awaitedSince = 0;
    }

    /** Remembers how much CPU time the M has used until now. */
    void measure() {
      cpuTime = CpuTime.of(m);
      cpuTimeSince = now;
    }

    @Override
    public boolean isBlocked() {
      return isWaiting(m);
    }

    @Override
    public boolean isPWanted() {
      return isWorkWaiting() || sched.timekeeper.isUnwatched();
    }

    @Override
    public boolean isSliceOver() {
      return now - since >= timeSlice;
    }

    @Override
    public boolean isAsked() {
      return asked;
    }

    @Override
    public boolean waitsForCpu() {
      if (cpuTime < 0 || CpuTime.of(m) - firstCpuTime >= timeSlice) {
        return false;
      }
      return RetakePolicy.waitsForCpu(
          runStateOf(m),
          now - since,
          timeSlice,
          sched.procs(),
          sched.cpus,
          sched.config.background());
    }

    @Override
    public boolean computes() {
      long latest = CpuTime.of(m);
      return latest < 0 || latest != cpuTime;
    }

    @Override
    public boolean isWorkWaiting() {
      return sched.handOff.hasWorkFor(p);
    }

    @Override
    public boolean mayReachCheck() {
      if (!YieldFlag.isPossible()) {
        return false;
      }
      if (awaitedSince == 0) {
        awaitedSince = now;
        awaitedCpuTime = CpuTime.of(m);
      }
      return !m.slice.didYieldFail()
          && now - awaitedSince < timeSlice
          && CpuTime.of(m) - awaitedCpuTime < grace;
    }
  }
}
