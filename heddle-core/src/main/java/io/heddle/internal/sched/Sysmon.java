package io.heddle.internal.sched;

import io.heddle.internal.base.Clock;
import io.heddle.internal.base.Counter;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.OsThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The monitor: a thread without a P that sees to it that no goroutine keeps one for too long (rules S1 to S3, S7). */
public final class Sysmon {
  /*
   * A look at a P compares what it runs with the last look: the same epoch and the same tick of its M mean the same time
   * slice. What has had its slice is asked to make way, which it does at its next scheduling point; if it has not by the
   * next look, and others wait, the P is taken by force, and the goroutine runs on without one. Where there is woven code
   * (S6) it is given the time to come by a check: some of its own, but no longer than another slice, since it may be in
   * native code by now.
   *
   * A slice is a time by the clock. But where there are more threads than CPUs, of this process or of others, they wait
   * for a CPU with a P in hand, and to give that P to yet another thread would make it worse. So nothing is taken by force
   * from who wants a CPU and has not had a slice of it yet, unless it lasts too long. Where the system does not tell who
   * wants one (it does where we have a poller), nothing is taken from who has had neither a slice of CPU time, nor its
   * share of the time, if there are more Ps than CPUs.
   *
   * Ordering, of going to sleep for good: asleep is set, then the Ps are looked at once more; who takes an idle P, and
   * who leaves work behind with no M to be had, looks at asleep after that. All are volatile.
   *
   * Differences from Go: it does not go to sleep at the first sight of nothing but idle Ps. Those of a server are idle
   * every now and then: whoever takes one again would have to wake it, and it would look every 20 µs once more. Meanwhile
   * it looks half as often each time (docs/decisions, 24). It looks twice per slice at least.
   *
   * Checked by: SysmonTest, StarvationTest, OsThreadTest.
   */
  private static final long SHORTEST = 20_000;
  private static final long LONGEST = 10_000_000;

  /** Looks without anything to do before the pause between them is doubled each time. */
  private static final int PATIENCE = 50;

  /** Looks in a row at nothing but idle Ps before it sleeps until woken: 50 ms, if a slice is 10. See Differences. */
  private static final int QUIET = 17;

  /** How many of those are few: nothing moves, as it seems. */
  private static final int FEW = 3;

  /** The part of a slice, in CPU time, that a goroutine has from when it was asked to its next check: 2 ms of 10. */
  private static final int GRACE = 5;

  /** How many slices one has to get onto a CPU. */
  private static final int LONGEST_WAIT = 5;

  /** For how long one that was forced is asked, if it is not on a CPU: some slices, but never very long. */
  private static final int ASKED_SLICES = 10;

  private static final long LONGEST_ASKED = 1_000_000_000;

  /** What the last look at a P has seen. */
  private static final class PObservation {
    long epoch = -1;
    int tick;
    long since;
    long firstCpuTime;
    long cpuTime;
    long cpuTimeSince;
    boolean asked;

    /** Since when woven code has been looking; 0 if it has not. */
    long awaitedSince;

    long awaitedCpuTime;

    void measure(M m, long now) {
      cpuTime = CpuTime.of(m);
      cpuTimeSince = now;
    }
  }

  private final Sched sched;
  private final long timeSlice;
  private final long longest;
  private final long grace;
  private final long longestAsked;
  private final PObservation[] seen = new PObservation[SchedConfig.MAX_PROCS];
  private final Thread thread;
  private final Preempt preempt = new Preempt();

  private volatile boolean asleep;
  private volatile boolean over;
  private volatile int coarseTime = ticks(Clock.now());
  private final Counter preemptions = new Counter();

  // Its own thread's.
  private long pause = SHORTEST;
  private int idleLooks;
  private int quietLooks;
  private boolean awaits;
  private @Nullable OsThread osThread;

  Sysmon(Sched sched) {
    this.sched = sched;
    this.timeSlice = sched.config.timeSlice();
    this.grace = timeSlice / GRACE;
    this.longestAsked = Math.min(ASKED_SLICES * timeSlice, LONGEST_ASKED);
    this.longest = Math.clamp(timeSlice / 2, SHORTEST, LONGEST);
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("heddle-" + sched.name() + "-sysmon")
            .unstarted(this::run);
  }

  /** Whether {@code thread} is that of a monitor. */
  public static boolean isMonitorThread(Thread thread) {
    return thread.getName().startsWith("heddle-") && thread.getName().endsWith("-sysmon");
  }

  void start() {
    thread.start();
  }

  /** Returns the thread, which will end now. */
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
   * For an M that counts as asleep from now on. The monitor sets {@code asleep} before its last look, and the M is counted
   * before it reads {@code asleep}; both are volatile, so either the look counts the M, or the M tells the listener.
   */
  void onMAsleep() {
    if (asleep) {
      sched.listener.onMAsleep();
    }
  }

  /** Something has begun that it should watch. */
  void wake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  /** A coarse time that fits an int: units of about a millisecond, which come round after some seven weeks. */
  int coarseTime() {
    return coarseTime;
  }

  /** The coarse time is right from now on, as long as this thread is awake. */
  void refreshCoarseTime() {
    coarseTime = ticks(Clock.now());
  }

  /** How long ago a coarse time was, in nanoseconds. */
  static long since(int time) {
    return (long) (ticks(Clock.now()) - time) << 20;
  }

  private static int ticks(long nanos) {
    return (int) (nanos >>> 20);
  }

  private void run() {
    while (!over) {
      try {
        if (quietLooks >= QUIET) {
          sleep();
        }
        LockSupport.parkNanos(this, pause);
        boolean _ = Thread.interrupted(); // or else it would not wait the next time
        look(Clock.now());
      } catch (Throwable t) {
        sched.logLater("the monitor goes on after an error", t);
        quietLooks = QUIET; // not at once, and not if there is nothing to watch
      }
    }
    preempt.setYieldFlag(false);
    if (osThread != null) {
      osThread.close();
    }
  }

  private void sleep() {
    preempt.setYieldFlag(false);
    asleep = true; // before the look: see onMAsleep
    sched.listener.onQuiet();
    while (asleep && !over && !mustWatch()) {
      LockSupport.park(this);
      boolean _ = Thread.interrupted();
    }
    asleep = false;
    quietLooks = 0;
    idleLooks = 0;
    pause = SHORTEST;
  }

  private boolean mustWatch() {
    return sched.idlePs.size() < sched.procs() || hasUndone();
  }

  private boolean hasUndone() {
    return sched.findRunnable.hasWork() || sched.timekeeper.isUnwatched() || sched.hasChores;
  }

  /** One look at everything; sets the pause to the next. */
  private void look(long now) {
    coarseTime = ticks(now);
    boolean acted = false;
    awaits = false;
    for (P p : sched.world.all()) {
      acted |= !sched.world.isStopping() && look(p, now);
    }
    preempt.findStragglers(sched.threads.all(), now, grace);
    boolean asks = preempt.asksStragglers(now, longestAsked);
    preempt.setYieldFlag(awaits || asks);
    acted |= sched.net.pollLate();
    if (hasUndone() && sched.spinning.hasIdleP()) {
      sched.spinning.wakeP(); // nobody could be had before, or could be called
    }
    sched.listener.onLook(now);
    quietLooks = asks || mustWatch() ? 0 : quietLooks + 1;
    if (quietLooks % (2 * FEW) == FEW) {
      sched.listener.onQuiet(); // also if somebody always moves before it sleeps for good
    }
    idleLooks = acted ? 0 : idleLooks + 1;
    if (acted) {
      pause = SHORTEST;
    } else if (quietLooks > 0 || idleLooks > PATIENCE) {
      pause = Math.min(2 * pause, longest);
    }
  }

  /** Whether something was done about it. */
  private boolean look(P p, long now) {
    PObservation s = seenOf(p);
    long epoch = p.epochInUser();
    M m = p.m();
    if (epoch < 0 || m == null) {
      s.epoch = -1;
      return false;
    }
    int tick = m.tick();
    if (s.epoch != epoch || s.tick != tick) {
      s.epoch = epoch;
      s.tick = tick;
      s.since = now;
      s.measure(m, now);
      s.firstCpuTime = s.cpuTime;
      s.asked = false;
      s.awaitedSince = 0;
      return false;
    }
    return decide(p, m, s, now);
  }

  /** The same slice as at the last look. */
  private boolean decide(P p, M m, PObservation s, long now) {
    boolean isOver = now - s.since >= timeSlice;
    if (isWaiting(m)) {
      boolean isWanted = sched.handOff.hasWorkFor(p) || sched.timekeeper.isUnwatched();
      return (isOver || isWanted) && retake(p, m, s, HandOff.Reason.PINNED, now);
    }
    if (!isOver) {
      return false;
    }
    if (!s.asked) {
      s.asked = true;
      preemptions.add(1);
      m.preempt();
      boolean _ = Preempt.isPossible() && sched.handOff.hasWorkFor(p) && awaitCheck(m, s, now);
      sched.tracing.preempt(p);
      return true;
    }
    long cpuTime = CpuTime.of(m);
    if (waitsForCpu(m, cpuTime, s, now)) {
      return leaveAlone(p, s);
    }
    boolean computes = cpuTime < 0 || cpuTime != s.cpuTime;
    if (computes && !sched.handOff.hasWorkFor(p)) {
      if (now - s.cpuTimeSince >= timeSlice) {
        s.measure(m, now); // it may have computed before, and be in native code now
      }
      return false;
    }
    if (computes && Preempt.isPossible() && awaitCheck(m, s, now)) {
      return true;
    }
    return retake(p, m, s, computes ? HandOff.Reason.COMPUTING : HandOff.Reason.NATIVE, now);
  }

  /** It may wait for a CPU. Once it has one, woven code looks whether it is to yield, and has its grace from then on. */
  private boolean leaveAlone(P p, PObservation s) {
    awaits |= Preempt.isPossible() && sched.handOff.hasWorkFor(p);
    s.awaitedSince = 0;
    return false;
  }

  /** Whether it waits for a CPU, or has had none for a whole slice yet, as far as that is known. */
  private boolean waitsForCpu(M m, long cpuTime, PObservation s, long now) {
    if (s.cpuTime < 0 || cpuTime - s.firstCpuTime >= timeSlice) {
      return false;
    }
    int cpus = sched.cpus;
    int procs = sched.procs();
    return switch (wishOf(m)) {
      case CPU -> now - s.since < timeSlice * Math.max(LONGEST_WAIT, procs / cpus);
      case SOMETHING_ELSE -> false;
      case UNKNOWN -> procs > cpus && now - s.since < timeSlice * procs / cpus;
    };
  }

  private OsThread.RunState wishOf(M m) {
    if (m.osThread() == OsThread.NONE) {
      return OsThread.RunState.UNKNOWN;
    }
    if (osThread == null) {
      osThread = new OsThread();
    }
    return osThread.wishOf(m.osThread());
  }

  /** Others wait for its P: whether it is given more time to come by a check of its own accord. */
  private boolean awaitCheck(M m, PObservation s, long now) {
    if (s.awaitedSince == 0) {
      s.awaitedSince = now;
      s.awaitedCpuTime = CpuTime.of(m);
    }
    boolean isInTime =
        !m.didYieldFail()
            && now - s.awaitedSince < timeSlice
            && CpuTime.of(m) - s.awaitedCpuTime < grace;
    awaits |= isInTime;
    return isInTime;
  }

  /** Whether its thread waits, with a goroutine on it. */
  static boolean isWaiting(M m) {
    return switch (m.getState()) {
      case WAITING, TIMED_WAITING, BLOCKED -> true;
      default -> false;
    };
  }

  private boolean retake(P p, M m, PObservation s, HandOff.Reason reason, long now) {
    G g = m.current();
    if (!p.tryRetake(s.epoch)) {
      return false;
    }
    sched.tracing.retake(p, s.epoch, reason);
    try {
      sched.handOff.recordHandOff(reason);
    } finally {
      sched.handOff.handOff(p); // also if there is no memory for that
    }
    preempt.addStraggler(m, s.tick, now, grace, reason == HandOff.Reason.PINNED);
    sched.listener.onRetake(reason, m, g); // not with the P in hand: it asks the user's logger
    return true;
  }

  private PObservation seenOf(P p) {
    PObservation s = seen[p.number];
    if (s == null) {
      s = new PObservation();
      seen[p.number] = s;
    }
    return s;
  }
}
