package io.heddle.internal.explore;

import io.heddle.internal.base.BlockReason;
import io.heddle.internal.base.FastRandom;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.jdk.BlockedOn;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Driver;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Ready;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.ScheduleLoop;
import io.heddle.internal.sched.SchedulingPoint;
import io.heddle.internal.timer.TimerHeap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Turns a scheduler by hand: one goroutine at a time, chance decides which one is next, and the clock jumps to the next
 * timer when none can go on. The same seed gives the same choices, and so the same run of the same program.
 */
public final class ExploringDriver implements Driver {
  /*
   * The scheduler has one M, which owns no P: this loop stands in for Schedule, FindRunnable, Timekeeper and Sysmon. All
   * else is the real thing: goroutines, their states, timers, and everything above them.
   *
   * What makes a run reproducible: whatever makes a goroutine ready does so on the M, by the M itself or by the goroutine it
   * runs, in an order that the choices before have decided. There are two exceptions.
   *
   * Threads outside, which also stand for real I/O and real time: theirs is taken note of at the next choice, and counted.
   *
   * Monitors: the JDK has one thread that makes those runnable whose monitor has become free, some time later. Its word is
   * not waited for. A goroutine that stopped at a monitor, and does not wait for a notify, can be chosen like any other: it
   * tries to enter, and stops again if it cannot. The VM and the JDK put up with that, as with any wakeup for nothing.
   * Whether a try was in vain cannot be seen. So each that stopped there is tried once, until one that did not has run; and if
   * all were in vain, it is looked up who holds the monitors (Waits).
   *
   * Ordering: the lists belong to the M, and to the goroutine that runs on it. Those outside reach it by the queue and the
   * flags, which are volatile: who adds to the queue then unparks the M, which looks at it before it parks.
   *
   * Checked by: the tests of heddle-junit.
   */

  /** How a run ended. */
  public enum End {
    /** Main has returned, and no other goroutine can go on. */
    QUIET,
    /** Main waits, and nobody can go on, ever. */
    DEADLOCK,
    /** So many steps that it may go on for ever. */
    TOO_LONG,
    /** Somebody said so. */
    STOPPED
  }

  /** Where the clock starts: that of all schedulers starts at about 1. */
  private static final long START = 1;

  /** Where the calendar starts: Go's fake clocks do so, too. */
  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  /** For how long somebody outside may keep all waiting, unless it is certain that nobody will come. */
  private static final long GRACE = 2_000_000_000;

  /** How often tries at monitors are repeated that nobody is known to hold. */
  private static final int ROUNDS = 20;

  private static final long PAUSE = 50_000;

  private static boolean prepared;

  private static volatile Runnable onFirstUse = () -> {};

  private final FastRandom random;
  private final int yieldOneIn;
  private final long maxSteps;
  private final Runnable onEnd;

  private final List<G> runnable = new ArrayList<>();
  private final List<G> atMonitors = new ArrayList<>();
  private final List<G> tried = new ArrayList<>();
  private final Queue<G> fromOutside = new ConcurrentLinkedQueue<>();
  private int rounds;
  private @Nullable G settler;
  private long now = START;
  private long trail;
  private int outside = -1; // who starts main is no surprise

  @SuppressWarnings("NullAway.Init") // set by the scheduler that is made with it
  private Sched sched;

  private volatile @Nullable M m;
  private volatile boolean nudged;
  private volatile boolean mainIsOver;
  private volatile @Nullable End end;
  private volatile @Nullable Throwable error;
  private volatile long steps;

  /**
   * {@code onEnd} is told, on a thread of the scheduler, when there is no more to do.
   *
   * @param maxSteps how many times a goroutine is chosen at most
   */
  public ExploringDriver(long seed, long maxSteps, Runnable onEnd) {
    this.random = new FastRandom(seed);
    this.maxSteps = maxSteps;
    this.onEnd = onEnd;
    // Some bugs need a switch at every point, some long stretches without: each seed has its own
    // mixture.
    this.yieldOneIn = 1 << random.next(6);
  }

  /** For the agent: what is to be done before the first. Runs at most once. */
  public static void onFirstUse(Runnable action) {
    onFirstUse = action;
  }

  /** From now on it is worth asking whether a goroutine is on a scheduler of this kind. */
  public static synchronized void prepare() {
    if (!prepared) {
      prepared = true;
      SchedulingPoint.activate();
      onFirstUse.run();
    }
  }

  /** Returns the driver of the calling goroutine's scheduler; null if it has none. */
  public static @Nullable ExploringDriver ofCaller() {
    return (ExploringDriver) SchedulingPoint.driverOfCaller();
  }

  @Override
  public ScheduleLoop loopOf(Sched of) {
    sched = of;
    return new DrivenLoop(of, this);
  }

  @Override
  public Ready readyOf(Sched of) {
    return new DrivenQueue(of, this);
  }

  @Override
  public void timerArmed() {
    nudge();
  }

  @Override
  public void yieldPoint() {
    boolean isAlone = runnable.isEmpty() && atMonitors.isEmpty();
    if (!isAlone && random.next(yieldOneIn) == 0) {
      Mounter.current().yieldNow();
    }
  }

  /** A number that the seed decides. For the M, and the goroutine on it. */
  @Override
  public long nextSeed() {
    return ((long) random.next() << 31) | random.next();
  }

  /** The time, in nanoseconds from {@link io.heddle.internal.base.Clock}'s beginning. */
  @Override
  public long now() {
    return now;
  }

  @Override
  public Instant instant() {
    return EPOCH.plusNanos(elapsed());
  }

  /** How much time has passed, in nanoseconds. */
  public long elapsed() {
    return now - START;
  }

  public long steps() {
    return steps;
  }

  /** A number that is the same for runs in which the same goroutines ran in the same order at the same times. */
  public long trail() {
    return trail;
  }

  /** How often a thread outside made a goroutine ready. */
  public int outside() {
    return outside;
  }

  /** How it ended; null if it has not. */
  public @Nullable End end() {
    return end;
  }

  /** An error of ours that ended it; null if there was none. */
  public @Nullable Throwable error() {
    return error;
  }

  void fail(Throwable t) {
    error = t;
    stop();
  }

  /** For the main goroutine: from now on the clock stands still, and the end is near. */
  public void mainIsOver() {
    mainIsOver = true;
  }

  /** No goroutine runs any more, but for the one that does. */
  public void stop() {
    end(End.STOPPED);
  }

  /**
   * The calling goroutine goes on when no other can without the clock.
   *
   * @throws IllegalStateException if another waits for that already
   */
  public void settle() throws InterruptedException {
    if (settler != null) {
      throw new IllegalStateException(
          "settle: goroutine " + settler.id() + " waits for the others to settle already");
    }
    G me = Sched.current();
    settler = me;
    BlockReason reason = () -> "settle";
    while (settler == me && me != null) {
      Mounter.current().park(reason);
      if (Thread.interrupted()) {
        settler = null;
        throw new InterruptedException();
      }
    }
  }

  // For Ready.

  /** It can go on. {@code isHere}: the caller is the M, or a goroutine on it. */
  void queue(G g, boolean isHere) {
    if (VirtualThreads.isUnblocked(g.thread())) {
      nudge(); // it is among those at monitors
    } else if (isHere) {
      runnable.add(g);
    } else {
      fromOutside.add(g);
      nudge();
    }
  }

  void nudge() {
    nudged = true;
    LockSupport.unpark(m);
  }

  // The M's.

  /** What an M does until the end. */
  void drive(M m, DrivenLoop loop) {
    this.m = m;
    while (end == null) {
      takeFromOutside();
      loop.doPendingChores();
      G g = choose();
      if (g != null) {
        run(m, g, loop);
      } else if (!goOn()) {
        awaitOutside();
      }
    }
  }

  private void takeFromOutside() {
    nudged = false;
    for (G g = fromOutside.poll(); g != null; g = fromOutside.poll()) {
      runnable.add(g);
      outside++;
    }
  }

  private @Nullable G choose() {
    List<G> all = runnable;
    if (!atMonitors.isEmpty()) {
      all = new ArrayList<>(runnable);
      for (G g : atMonitors) {
        if (VirtualThreads.isBlocked(g.thread()) && !tried.contains(g)) {
          all.add(g);
        }
      }
    }
    return all.isEmpty() ? null : all.get(random.next(all.size()));
  }

  private void run(M m, G g, DrivenLoop loop) {
    boolean tries = atMonitors.remove(g);
    if (tries) {
      boolean _ = g.toRunnable(); // unless it was, by the JDK
      VirtualThreads.unblock(g.thread());
    } else {
      runnable.remove(g);
    }
    trail = trail * 0x5DEECE66DL + g.id() * 31 + now;
    long n = steps + 1;
    steps = n; // the M alone writes it
    G yielded = loop.runAlone(m, g);
    if (yielded != null) {
      runnable.add(yielded);
    }
    boolean stopped = VirtualThreads.isAtMonitor(g.thread());
    if (stopped) {
      atMonitors.add(g);
    }
    if (tries && stopped) {
      tried.add(g);
    } else {
      tried.clear();
      rounds = 0;
    }
    if (n >= maxSteps) {
      end(End.TOO_LONG);
    }
  }

  /** Nobody can be chosen; whether that has been changed, or the end has come. */
  private boolean goOn() {
    if (!tried.isEmpty() && !areHeld() && ++rounds < ROUNDS) {
      tried.clear();
      LockSupport.parkNanos(PAUSE); // somebody outside may have it
      return true;
    }
    G settled = settler;
    if (settled != null) {
      settler = null;
      LockSupport.unpark(settled.thread());
      return true;
    }
    if (mainIsOver) {
      end(End.QUIET);
      return true;
    }
    return jump();
  }

  /** Whether each monitor that goroutines try to enter in vain is held by one that waits, too. */
  private boolean areHeld() {
    for (G g : tried) {
      BlockedOn.Wait wait = BlockedOn.of(g.thread(), sched.books()::virtualThreads);
      if (wait == null) {
        return false;
      }
    }
    return true;
  }

  private boolean jump() {
    TimerHeap heap = sched.timersOfCaller();
    long when = heap.earliest();
    if (when == TimerHeap.NEVER) {
      return false;
    }
    now = Math.max(now, when);
    int _ = heap.runDue(now);
    return true;
  }

  /** Everybody waits, and no timer runs: for somebody outside, or in vain. */
  private void awaitOutside() {
    long since = System.nanoTime();
    boolean isCertain = outside >= 0 && Inspector.of(sched).deadlocks().isAllInside();
    while (fromOutside.isEmpty() && !nudged && end == null) {
      boolean isOver = isCertain || System.nanoTime() - since > GRACE;
      if (isOver && outside >= 0 && !Inspector.of(sched).deadlocks().isAnyElsewhere()) {
        end(End.DEADLOCK);
      } else {
        LockSupport.parkNanos(this, GRACE);
      }
    }
  }

  private synchronized void end(End how) {
    if (end == null) {
      end = how;
      LockSupport.unpark(m);
      onEnd.run();
    }
  }
}
