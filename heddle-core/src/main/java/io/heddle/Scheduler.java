package io.heddle;

import io.heddle.internal.dashboard.DashboardLauncher;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.inspect.Leaks;
import io.heddle.internal.inspect.SchedTrace;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Driver;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedConfig;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.trace.FlightRecorder;
import io.heddle.internal.trace.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler of goroutines, with Ps and Ms of its own. Several in one JVM do not disturb one another.
 *
 * <p>Most programs need only {@link #shared()}, which {@link Go} uses. A virtual thread that a goroutine starts with
 * plain JDK calls is a goroutine of the same scheduler.
 */
public final class Scheduler implements AutoCloseable {
  private static final AtomicInteger UNNAMED = new AtomicInteger();
  private static final Object SHARED_LOCK = new Object();
  private static volatile @Nullable Scheduler shared;

  private final Sched sched;
  private final boolean isShared;
  private final boolean deadlockExits = Settings.deadlockExits();

  private Scheduler(Builder builder, boolean isShared) {
    VirtualThreads.ensureOpen(); // before anything of the scheduler is loaded
    int schedTrace = Settings.SCHED_TRACE.read();
    this.isShared = isShared;
    TraceSettings traces = TraceSettings.read();
    this.sched = new Sched(builder.config(), this, Inspector::new);
    try {
      traces.applyTo(sched);
      if (schedTrace > 0) {
        SchedTrace.start(sched, schedTrace, isShared ? "" : " scheduler=" + sched.name());
      }
      Management.opened(this);
      if (Settings.isSet(Settings.DASHBOARD)) {
        DashboardLauncher.startOnce((owner, file) -> ((Scheduler) owner).trace(file));
      }
    } catch (Throwable t) {
      sched.closing().close(() -> {}); // or its threads would be left behind
      throw t;
    }
  }

  /** One that is turned by hand: see {@link Bubble}. */
  Scheduler(Builder builder, Driver driver) {
    this.isShared = false;
    this.sched = new Sched(builder.config(), this, Inspector::new, driver);
  }

  /** The one that is there for everybody: made on first use, never closed. */
  public static Scheduler shared() {
    Scheduler made = shared;
    return made == null ? makeShared() : made;
  }

  /** The scheduler of the goroutine that calls, null if the caller is another kind of thread. */
  public static @Nullable Scheduler current() {
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    return g == null ? null : of(g);
  }

  /** What makes another one: {@code Scheduler.builder().name("io").procs(4).build()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Starts a goroutine. */
  public Goroutine go(Task task) {
    return start(null, task, task);
  }

  /** Starts a goroutine with a name, for dumps. */
  public Goroutine go(String name, Task task) {
    return start(Objects.requireNonNull(name, "name"), task, task);
  }

  /**
   * Runs {@code main} as a goroutine and waits for it. Throws what it threw; goroutines that it started and did not wait
   * for run on. An interrupt of the caller is passed on to the main goroutine.
   *
   * @throws DeadlockException if the main goroutine can never go on, as far as that can be told for certain: it waits for
   *     goroutines that wait for one another, each for a {@link java.util.concurrent.locks.ReentrantLock}, a monitor or
   *     the end of the next; or every goroutine waits for a channel, and there is nobody else
   */
  public void run(Task main) throws Exception {
    Objects.requireNonNull(main, "main");
    checkOpen();
    MainRun run = new MainRun(sched, deadlockExits, CurrentContext.inherited(main));
    LiveGoroutine g = new LiveGoroutine(sched, "main", run, Sched.current(), CreationSite.of(main));
    run.startAndWait(g);
  }

  /** How many goroutines run at the same time. */
  public int procs() {
    return sched.procs();
  }

  /**
   * Sets how many goroutines run at the same time, 1 to 1024, and returns how many it were; 0 or less only asks.
   * Goroutines that are running run on.
   */
  public int procs(int n) {
    return sched.procs(n);
  }

  /** How many goroutines are alive. */
  public int goroutines() {
    return sched.goroutines();
  }

  /** An executor that starts a goroutine per task. Closing it waits for its tasks; it does not close the scheduler. */
  public ExecutorService executor() {
    checkOpen();
    return Executors.newThreadPerTaskExecutor(
        task -> {
          if (isClosedToCaller()) {
            throw new RejectedExecutionException(closedMessage());
          }
          return LiveGoroutine.ofRunnable(sched, CurrentContext.inherited(task::run), task)
              .thread();
        });
  }

  /** A factory whose every thread is a goroutine. */
  public ThreadFactory threadFactory() {
    return task -> {
      Objects.requireNonNull(task, "task");
      checkOpen();
      return LiveGoroutine.ofRunnable(sched, task).thread();
    };
  }

  /** What it is doing and has done, in numbers. */
  public Stats stats() {
    SchedCounters counters = SchedCounters.of(sched);
    return new Stats(
        sched.procs(),
        counters.idleProcs(),
        counters.threads(),
        counters.idleThreads(),
        counters.spinningThreads(),
        counters.living(),
        counters.globalQueue(),
        counters.localQueues(),
        counters.started(),
        counters.finished(),
        counters.switches(),
        counters.steals(),
        counters.stolen(),
        sched.handOffs().count(),
        sched.preemptions(),
        counters.threadParks(),
        counters.timersFired(),
        counters.netpolls());
  }

  /** How often a P was taken from a goroutine or given up by one, by reason. */
  public HandOffs handOffs() {
    HandOff by = sched.handOffs();
    return new HandOffs(
        by.count(HandOff.Reason.COMPUTING),
        by.count(HandOff.Reason.NATIVE),
        by.count(HandOff.Reason.PINNED),
        by.count(HandOff.Reason.MARKED));
  }

  /** Every goroutine with its id, state, reason to wait, how long, stack and creator, in the form of Go's dumps. */
  public String dump() {
    return Dump.of(sched);
  }

  /** The same with goroutines that do the same at the same place shown as one, the largest groups first. */
  public String dumpGrouped() {
    return Dump.grouped(sched);
  }

  /**
   * The goroutines that can never go on, since nobody else has a reference to what they wait for, nor to them: for the
   * end of a test. It runs the garbage collector, which decides, and collects them; they are gone afterwards.
   *
   * <p>Not found are those that anybody could still wake or interrupt: whose {@link Goroutine} or thread is still held
   * (an executor holds those of its tasks, and the JDK those that were started with its own calls), or whose channel is,
   * even if nobody will ever use it.
   *
   * @throws IllegalStateException if the garbage collector does not run when asked ({@code -XX:+DisableExplicitGC})
   */
  public List<LeakedGoroutine> leaked() {
    return Leaks.find(sched).stream().map(LeakedGoroutine::of).toList();
  }

  /**
   * Writes what happens from now on to a file, which {@code heddle trace FILE} shows: who starts, runs, waits and for what,
   * wakes whom, is stolen or loses its P. Closing the trace ends the file; so does closing the scheduler. A file that is
   * there is written over. Events are lost, and counted in the file, where the disk is slower than the goroutines.
   *
   * @throws IllegalStateException if this scheduler is being traced to a file already
   * @throws java.io.UncheckedIOException if the file cannot be written
   */
  public Trace trace(Path file) {
    Objects.requireNonNull(file, "file");
    checkOpen();
    try {
      TraceFile opened = Inspector.of(sched).traces().open(file);
      try {
        return () -> Inspector.of(sched).traces().close(opened);
      } catch (OutOfMemoryError e) {
        Inspector.of(sched).traces().close(opened);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the trace " + file + " cannot be written: " + e, e);
    }
  }

  /**
   * Writes the last seconds to a file, which {@code heddle trace FILE} shows: of all schedulers, up to ten seconds, or less if
   * more happened than fits into the memory kept for it.
   *
   * @throws IllegalStateException if they are not kept: the setting {@code heddle.flight} says that they are
   * @throws java.io.UncheckedIOException if the file cannot be written
   */
  public void flight(Path file) {
    Objects.requireNonNull(file, "file");
    FlightRecorder recorder = Inspector.of(sched).traces().flight();
    if (recorder == null) {
      throw new IllegalStateException(
          "the flight recorder is off: -Dheddle.flight=FILE, or HEDDLE_FLIGHT, turns it on");
    }
    try {
      recorder.dump(file);
    } catch (IOException e) {
      throw new UncheckedIOException("the trace " + file + " cannot be written: " + e, e);
    }
  }

  /**
   * Waits for the goroutines, which may start more meanwhile, then ends the threads. Not for the shared scheduler, and
   * not from one of its own goroutines. If the caller is interrupted while it waits, the goroutines are interrupted, too.
   */
  @Override
  public void close() {
    checkMayClose();
    sched.closing().close(this::interruptAll);
    Management.closed(this);
  }

  /** Interrupts the goroutines, then does the same as {@link #close}. */
  public void shutdownNow() {
    checkMayClose();
    sched.closing().begin();
    interruptAll();
    close();
  }

  @Override
  public String toString() {
    return "Scheduler["
        + sched.name()
        + ", procs="
        + procs()
        + ", goroutines="
        + goroutines()
        + "]";
  }

  static Scheduler of(G g) {
    return (Scheduler) g.sched().owner();
  }

  Sched sched() {
    return sched;
  }

  /** Not in a static initialiser: a wrong setting, or a missing flag, is to be said as it is, each time. */
  private static Scheduler makeShared() {
    synchronized (SHARED_LOCK) {
      Scheduler made = shared;
      if (made == null) {
        made = new Scheduler(builder().name("shared"), true);
        shared = made;
      }
      return made;
    }
  }

  private Goroutine start(@Nullable String name, Task task, Task users) {
    checkOpen();
    return startFrom(Sched.current(), name, task, users);
  }

  /**
   * For a caller that may start goroutines here, as those of this scheduler always may. {@code users} is the task as the
   * user gave it: it tells where it was started.
   */
  Goroutine startFrom(@Nullable G caller, @Nullable String name, Task task, Task users) {
    Objects.requireNonNull(task, "task");
    Task inherits = CurrentContext.inherited(task);
    LiveGoroutine g = new LiveGoroutine(sched, name, inherits, caller, CreationSite.of(users));
    sched.start(g);
    return g;
  }

  /** For the library itself, from any thread, an M inside the scheduler included: without the caller's context. */
  void startOwn(Task task, @Nullable StackTraceElement site) {
    sched.start(new LiveGoroutine(sched, null, task, Sched.current(), site));
  }

  /** Once closing has begun, only goroutines of this scheduler may start others. */
  private void checkOpen() {
    if (isClosedToCaller()) {
      throw new IllegalStateException(closedMessage());
    }
  }

  private boolean isClosedToCaller() {
    return sched.closing().hasBegun() && current() != this;
  }

  private String closedMessage() {
    return "scheduler " + sched.name() + " is closed";
  }

  private void checkMayClose() {
    if (isShared) {
      throw new UnsupportedOperationException("the shared scheduler is never closed");
    }
    if (current() == this) {
      throw new IllegalStateException(
          "scheduler "
              + sched.name()
              + " cannot be closed by one of its own goroutines: it would wait for itself");
    }
  }

  private void interruptAll() {
    sched.registry().forEach(g -> g.thread().interrupt());
  }

  static void rethrow(@Nullable Throwable thrown) throws Exception {
    if (thrown instanceof Error e) {
      throw e;
    }
    if (thrown instanceof Exception e) {
      throw e;
    }
    if (thrown != null) {
      throw new IllegalStateException(thrown);
    }
  }

  /** What a scheduler can be made with. What is not set comes from the settings, else from a default. */
  public static final class Builder {
    private @Nullable String name;
    private int procs;
    private int maxThreads;
    private @Nullable Duration timeSlice;
    private boolean deadlockDetection = true;
    private BiConsumer<? super Goroutine, ? super Throwable> uncaught = Uncaught::print;

    private Builder() {}

    /** How its threads are called, and what dumps and messages say. */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /** How many goroutines run at the same time, 1 to 1024; else {@code heddle.procs}, else the number of CPUs. */
    public Builder procs(int procs) {
      this.procs = Settings.PROCS.check("procs", procs);
      return this;
    }

    /** How many OS threads at most, 1 to 1000000; else {@code heddle.maxthreads}, else 10000. */
    public Builder maxThreads(int maxThreads) {
      this.maxThreads = Settings.MAX_THREADS.check("maxThreads", maxThreads);
      return this;
    }

    /** For how long goroutines that wake one another keep a P, 1 µs to 1 h; else {@code heddle.timeslice}, else 10 ms. */
    public Builder timeSlice(Duration timeSlice) {
      this.timeSlice = Settings.checkTimeSlice("timeSlice", timeSlice);
      return this;
    }

    /** Whether {@link Scheduler#run} fails when its main goroutine can never go on; true unless told otherwise. */
    public Builder deadlockDetection(boolean on) {
      this.deadlockDetection = on;
      return this;
    }

    /** Told what left a goroutine, instead of a block on standard error. */
    public Builder uncaught(BiConsumer<? super Goroutine, ? super Throwable> handler) {
      this.uncaught = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /** Makes it. Close it when it is no longer needed: its threads stay until then. */
    public Scheduler build() {
      return new Scheduler(this, false);
    }

    private SchedConfig config() {
      BiConsumer<? super Goroutine, ? super Throwable> handler = uncaught;
      Duration slice = timeSlice == null ? Settings.timeSlice() : timeSlice;
      return new SchedConfig(
          name == null ? "scheduler-" + UNNAMED.incrementAndGet() : name,
          procs == 0 ? Settings.PROCS.read() : procs,
          maxThreads == 0 ? Settings.MAX_THREADS.read() : maxThreads,
          slice.toNanos(),
          SchedConfig.IDLE_TIME_NANOS,
          deadlockDetection,
          Thread::start,
          LiveGoroutine::new,
          (g, e) -> handler.accept((LiveGoroutine) g, e));
    }
  }
}
