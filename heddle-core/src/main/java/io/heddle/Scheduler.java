package io.heddle;

import io.heddle.internal.base.UnknownSettings;
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
 * A scheduler of goroutines with processors (Ps) and OS threads (Ms) of its own. Several schedulers
 * in one JVM are independent of each other.
 *
 * <p>Most programs need only {@link #shared()}, which {@link Go} uses. A scheduler of your own
 * gives a part of a program its own number of Ps, its own handler for exceptions, and an end:
 *
 * {@snippet :
 * try (Scheduler reports = Scheduler.builder().name("reports").procs(2).build()) {
 *   for (Path file : files) {
 *     reports.go(() -> report(file));
 *   }
 * }                                 // close() waits until all goroutines have ended
 * }
 *
 * <p>A goroutine is a virtual thread. A virtual thread that a goroutine starts with plain JDK calls
 * becomes a goroutine of the same scheduler. {@link #executor} and {@link #threadFactory} connect a
 * scheduler to libraries that expect those.
 *
 * <p>All methods can be called from any thread, except that a goroutine must not {@link #close} its
 * own scheduler. After {@link #close} has begun, only goroutines of this scheduler can start
 * others; any other thread gets an {@link IllegalStateException}.
 *
 * <p>Memory consistency: actions before {@link #go}, {@link #run} or a submission to the
 * {@link #executor} <i>happen-before</i> the actions of the goroutine. The actions of a goroutine
 * <i>happen-before</i> the return of {@link #run} if it is the main goroutine, of a
 * {@link Goroutine#join()} of it, and of {@link #close}.
 */
public final class Scheduler implements AutoCloseable {
  private static final AtomicInteger UNNAMED = new AtomicInteger();
  private static final Object SHARED_LOCK = new Object();
  private static volatile @Nullable Scheduler shared;

  private final Sched sched;
  private final boolean isShared;
  private final boolean deadlockExits = Settings.deadlockExits();

  private Scheduler(Builder builder, boolean isShared) {
    VirtualThreads.ensureOpen(); // before any class of the scheduler is loaded
    EarlyInitialization.run();
    UnknownSettings.warnOnce();
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
      sched.closing().close(() -> {}); // otherwise its threads would run on
      throw t;
    }
  }

  /** Makes a scheduler whose steps a test driver chooses: see {@link Bubble}. */
  Scheduler(Builder builder, Driver driver) {
    this.isShared = false;
    this.sched = new Sched(builder.config(), this, Inspector::new, driver);
  }

  /**
   * Returns the scheduler that the whole program shares. It is made on first use, with the settings
   * of the program, and is never closed.
   *
   * @return the shared scheduler
   * @throws IllegalStateException if {@code java.lang} is not open to Heddle; the message names the
   *     flag
   * @throws IllegalArgumentException if a setting has a value that is not allowed
   */
  public static Scheduler shared() {
    Scheduler made = shared;
    return made == null ? makeShared() : made;
  }

  /**
   * Returns the scheduler of the calling goroutine.
   *
   * @return its scheduler; null if the caller is any other thread
   */
  public static @Nullable Scheduler current() {
    G g = VirtualThreads.isOpen() ? Sched.current() : null;
    return g == null ? null : of(g);
  }

  /**
   * Returns a builder for another scheduler:
   * {@code Scheduler.builder().name("io").procs(4).build()}.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts a goroutine of this scheduler. Does not wait. The goroutine inherits the caller's
   * {@link Context#current}. An exception that leaves {@code task} goes to the
   * {@linkplain Builder#uncaught handler} of this scheduler.
   *
   * @param task what the goroutine does
   * @return the new goroutine
   * @throws IllegalStateException if this scheduler is closed or closing, and the caller is not one
   *     of its goroutines
   */
  public Goroutine go(Task task) {
    return start(null, task, task);
  }

  /**
   * Starts a goroutine with a name, which dumps and traces show. Otherwise like {@link #go(Task)}.
   *
   * @param name the name, also of its {@linkplain Goroutine#thread thread}
   * @param task what the goroutine does
   * @return the new goroutine
   * @throws IllegalStateException as {@link #go(Task)} does
   */
  public Goroutine go(String name, Task task) {
    return start(Objects.requireNonNull(name, "name"), task, task);
  }

  /**
   * Runs {@code main} as a goroutine, the main goroutine, and waits until it has ended. Goroutines
   * that it started and did not wait for run on. An interrupt of the caller is passed on to the
   * main goroutine; the caller goes on waiting and has its interrupt flag set when this returns.
   *
   * @param main the code of the main goroutine
   * @throws Exception what {@code main} threw
   * @throws IllegalStateException if this scheduler is closed or closing, and the caller is not one
   *     of its goroutines
   * @throws DeadlockException if the main goroutine can never continue and this is certain: it
   *     waits for goroutines that wait for each other, each for a
   *     {@link java.util.concurrent.locks.ReentrantLock}, a monitor or the end of the next; or
   *     every goroutine waits, and no other thread can wake one
   */
  public void run(Task main) throws Exception {
    Objects.requireNonNull(main, "main");
    checkOpen();
    MainRun run = new MainRun(sched, deadlockExits, CurrentContext.inherited(main));
    LiveGoroutine g = new LiveGoroutine(sched, "main", run, Sched.current(), CreationSite.of(main));
    run.startAndWait(g);
  }

  /**
   * Returns the number of goroutines that can run at the same time.
   *
   * @return the number of Ps
   */
  public int procs() {
    return sched.procs();
  }

  /**
   * Sets the number of goroutines that can run at the same time: Go's {@code GOMAXPROCS}.
   * Goroutines that are running continue until they yield or wait.
   *
   * @param n the number of Ps, at most 1024; 0 or less changes nothing
   * @return the number before the call
   * @throws IllegalArgumentException if {@code n} is greater than 1024
   */
  public int procs(int n) {
    return sched.procs(n);
  }

  /**
   * Returns the number of goroutines that were started and have not ended.
   *
   * @return the number of goroutines alive
   */
  public int goroutines() {
    return sched.goroutines();
  }

  /**
   * Returns an executor that starts a goroutine for each task. The goroutine inherits the
   * {@link Context#current} of the thread that submits. Closing the executor waits for its tasks
   * and does not close the scheduler. After this scheduler was closed, the executor throws
   * {@link RejectedExecutionException}.
   *
   * @return a new executor
   * @throws IllegalStateException if this scheduler is closed or closing, and the caller is not one
   *     of its goroutines
   */
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

  /**
   * Returns a factory of virtual threads that are goroutines of this scheduler. Its threads do not
   * inherit the {@link Context#current} of their creator. After this scheduler was closed, the
   * factory throws {@link IllegalStateException}.
   *
   * @return a new factory
   */
  public ThreadFactory threadFactory() {
    return task -> {
      Objects.requireNonNull(task, "task");
      checkOpen();
      return LiveGoroutine.ofRunnable(sched, task).thread();
    };
  }

  /**
   * Returns figures about what this scheduler is doing and has done.
   *
   * @return a snapshot
   */
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

  /**
   * Returns how often another goroutine got the P of a goroutine that blocked or computed, by
   * reason.
   *
   * @return a snapshot of the counters
   */
  public HandOffs handOffs() {
    HandOff by = sched.handOffs();
    return new HandOffs(
        by.count(HandOff.Reason.COMPUTING),
        by.count(HandOff.Reason.NATIVE),
        by.count(HandOff.Reason.PINNED),
        by.count(HandOff.Reason.MARKED));
  }

  /**
   * Describes every goroutine in the form of Go's dumps: id, name, state, wait reason and time,
   * stack, and creation site.
   *
   * @return the dump, with line breaks
   */
  public String dump() {
    return Dump.of(sched);
  }

  /**
   * Describes every goroutine like {@link #dump}, but shows goroutines with the same stack and
   * state once, with their number. The largest groups come first.
   *
   * @return the dump, with line breaks
   */
  public String dumpGrouped() {
    return Dump.grouped(sched);
  }

  /**
   * Finds the goroutines that can never continue, because nothing else in the program refers to
   * them or to what they wait for. This is a check for the end of a test. It runs the garbage
   * collector, which decides; the goroutines that it finds no longer exist afterwards.
   *
   * <p>A goroutine that could still be woken or interrupted is not found. This is so if its
   * {@link Goroutine} or thread is still referenced: an executor refers to the threads of its
   * tasks, and the JDK to threads that were started with its own calls. It is also so if its
   * channel is still referenced, even if the program never uses it again.
   *
   * @return the leaked goroutines
   * @throws IllegalStateException if the garbage collector does not run on request
   *     ({@code -XX:+DisableExplicitGC})
   */
  public List<LeakedGoroutine> leaked() {
    return Leaks.find(sched).stream().map(LeakedGoroutine::of).toList();
  }

  /**
   * Starts to write the events of this scheduler to a file, for {@code heddle trace FILE}: start,
   * run, wait (and for what), wake-up, steal, loss of a P, and end of each goroutine. An existing
   * file is overwritten. Closing the result ends the file, and so does closing the scheduler. If
   * the disk is too slow, events are dropped; the file says how many.
   *
   * @param file the file to write
   * @return the running trace, to be closed
   * @throws IllegalStateException if a trace of this scheduler to a file is running already, or if
   *     this scheduler is closed or closing and the caller is not one of its goroutines
   * @throws UncheckedIOException if the file cannot be written
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
   * Writes the events of the last seconds, of all schedulers, to a file for
   * {@code heddle trace FILE}. These are up to ten seconds, or fewer if more happened than fits
   * into the memory reserved for it. The setting {@code heddle.flight} turns the recording on.
   *
   * @param file the file to write
   * @throws IllegalStateException if the setting {@code heddle.flight} is not set
   * @throws UncheckedIOException if the file cannot be written
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
   * Waits until all goroutines have ended, which may start further ones meanwhile, and then ends
   * the threads of this scheduler. Does not wait for timers; they do not fire any more. If the
   * caller is interrupted while it waits, the goroutines are interrupted too, the wait goes on, and
   * the caller's interrupt flag is set at the end. Closing again does nothing more.
   *
   * @throws UnsupportedOperationException if this is the shared scheduler
   * @throws IllegalStateException if the caller is a goroutine of this scheduler
   */
  @Override
  public void close() {
    checkMayClose();
    sched.closing().close(this::interruptAll);
    Management.closed(this);
  }

  /**
   * Interrupts all goroutines and then does what {@link #close} does. Goroutines that ignore the
   * interrupt are waited for.
   *
   * @throws UnsupportedOperationException if this is the shared scheduler
   * @throws IllegalStateException if the caller is a goroutine of this scheduler
   */
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

  /**
   * Makes the shared scheduler. Not in a static initializer, because each use must report a wrong
   * setting or a missing flag as it is.
   */
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
   * Starts a goroutine without the check for a closed scheduler, which goroutines of this scheduler
   * do not need. {@code users} is the task as the user passed it; its class determines the recorded
   * creation site.
   */
  Goroutine startFrom(@Nullable G caller, @Nullable String name, Task task, Task users) {
    Objects.requireNonNull(task, "task");
    Task inherits = CurrentContext.inherited(task);
    LiveGoroutine g = new LiveGoroutine(sched, name, inherits, caller, CreationSite.of(users));
    sched.start(g);
    return g;
  }

  /**
   * Starts a goroutine for the library itself, without the caller's context. May be called from any
   * thread, also from an M inside the scheduler.
   */
  void startOwn(Task task, @Nullable StackTraceElement site) {
    sched.start(new LiveGoroutine(sched, null, task, Sched.current(), site));
  }

  /**
   * Throws if closing has begun, because then only goroutines of this scheduler may start others.
   */
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

  /**
   * Collects the options of a new {@link Scheduler}. An option that is not given comes from the
   * program's settings (system property, then environment variable), or else has a default. For one
   * thread.
   */
  public static final class Builder {
    private @Nullable String name;
    private int procs;
    private int maxThreads;
    private @Nullable Duration timeSlice;
    private boolean deadlockDetection = true;
    private BiConsumer<? super Goroutine, ? super Throwable> uncaught = Uncaught::print;

    private Builder() {}

    /**
     * Sets the name, which its threads, dumps and messages show. Default: {@code scheduler-} and a
     * number.
     *
     * @param name the name
     * @return this builder
     */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /**
     * Sets the number of Ps: how many goroutines can run at the same time. Default: the setting
     * {@code heddle.procs}, or else the number of CPUs.
     *
     * @param procs from 1 to 1024
     * @return this builder
     * @throws IllegalArgumentException if {@code procs} is out of range
     */
    public Builder procs(int procs) {
      this.procs = Settings.PROCS.check("procs", procs);
      return this;
    }

    /**
     * Sets the largest number of OS threads. Default: the setting {@code heddle.maxthreads}, or
     * else 10000.
     *
     * @param maxThreads from 1 to 1000000
     * @return this builder
     * @throws IllegalArgumentException if {@code maxThreads} is out of range
     */
    public Builder maxThreads(int maxThreads) {
      this.maxThreads = Settings.MAX_THREADS.check("maxThreads", maxThreads);
      return this;
    }

    /**
     * Sets the time slice: how long a goroutine, or goroutines that wake each other, may keep a P
     * while others wait for it. Default: the setting {@code heddle.timeslice}, or else 10 ms.
     *
     * @param timeSlice from 1 µs to 1 h
     * @return this builder
     * @throws IllegalArgumentException if {@code timeSlice} is out of range
     */
    public Builder timeSlice(Duration timeSlice) {
      this.timeSlice = Settings.checkTimeSlice("timeSlice", timeSlice);
      return this;
    }

    /**
     * Sets whether {@link Scheduler#run} throws {@link DeadlockException} when the main goroutine
     * can never continue. Default: true.
     *
     * @param on whether deadlocks are detected
     * @return this builder
     */
    public Builder deadlockDetection(boolean on) {
      this.deadlockDetection = on;
      return this;
    }

    /**
     * Sets the handler for exceptions that leave a goroutine. It runs in that goroutine. Default:
     * write one block to standard error with the goroutine, the stack trace and the creation site.
     * After the handler has returned, the goroutine ends and the program continues.
     *
     * @param handler gets the goroutine and what it threw
     * @return this builder
     */
    public Builder uncaught(BiConsumer<? super Goroutine, ? super Throwable> handler) {
      this.uncaught = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * Makes the scheduler. Close it when it is no longer needed, because its threads stay until
     * then.
     *
     * @return a new scheduler
     * @throws IllegalStateException if {@code java.lang} is not open to Heddle; the message names
     *     the flag
     * @throws IllegalArgumentException if a setting of the program has a value that is not allowed
     */
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
