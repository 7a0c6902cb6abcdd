package io.heddle;

import io.heddle.internal.admit.DelayGate;
import io.heddle.internal.admit.Gate;
import io.heddle.internal.admit.Gates;
import io.heddle.internal.base.Clock;
import io.heddle.internal.base.LibraryCopies;
import io.heddle.internal.base.MasterSwitch;
import io.heddle.internal.base.ProcessStatus;
import io.heddle.internal.base.StartLine;
import io.heddle.internal.base.UnknownSettings;
import io.heddle.internal.dashboard.DashboardLauncher;
import io.heddle.internal.inspect.Dump;
import io.heddle.internal.inspect.Inspector;
import io.heddle.internal.inspect.Leaks;
import io.heddle.internal.inspect.Profile;
import io.heddle.internal.inspect.SchedTrace;
import io.heddle.internal.inspect.StuckChecks;
import io.heddle.internal.jdk.OsPriority;
import io.heddle.internal.jdk.OsThread;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.Driver;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.Sched;
import io.heddle.internal.sched.SchedConfig;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.trace.FlightRecorder;
import io.heddle.internal.trace.SchedLatency;
import io.heddle.internal.trace.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
 * <p>Only {@link #run}, {@link #close} and {@link #shutdownNow} wait for goroutines. An interrupt
 * does not end these waits: it is passed on to the goroutines, and the caller's interrupt flag is
 * set at the end.
 *
 * <p>Memory consistency: actions before {@link #go}, {@link #run} or a submission to the
 * {@link #executor} <i>happen-before</i> the actions of the goroutine. The actions of a goroutine
 * <i>happen-before</i> the return of {@link #run} if it is the main goroutine, of a
 * {@link Goroutine#join()} of it, and of {@link #close}.
 */
public final class Scheduler implements AutoCloseable {
  // The file is long because nearly half of it is Javadoc of the API; what its methods do is in the
  // packages below.

  private static final AtomicInteger UNNAMED = new AtomicInteger();
  private static final Object SHARED_LOCK = new Object();
  private static volatile @Nullable Scheduler shared;

  /** The scheduler of {@link #background}; null until its first use. */
  private static volatile @Nullable Scheduler background;

  /**
   * The Ps, Ms and queues that run the goroutines. Null only if Heddle is off ({@code HEDDLE=off});
   * then {@link #plain} runs them.
   */
  private final Sched sched;

  /** Runs the goroutines if Heddle is off ({@code HEDDLE=off}); otherwise null. */
  private final @Nullable PlainScheduler plain;

  private final boolean isShared;
  private final boolean deadlockExits = !MasterSwitch.isOff() && Settings.deadlockExits();

  /**
   * The {@link Carry} objects, which pass context from a thread to the goroutines that it starts.
   * Null until the first start, if the builder did not set them. A plain field, because a thread
   * that still reads null gets the same objects from {@link LoadedCarries}.
   */
  private Carry @Nullable [] carries;

  private volatile boolean carryHasFailed;

  private Scheduler(Builder builder, boolean isShared) {
    MasterSwitch.ensureValid();
    VirtualThreads.ensureOpen(); // before any class of the scheduler is loaded
    EarlyInitialization.run();
    LibraryCopies.warnOnce();
    UnknownSettings.warnOnce();
    int schedTrace = Settings.SCHED_TRACE.read();
    Duration leakCheck = Settings.leakCheck();
    this.isShared = isShared;
    this.plain = null;
    TraceSettings traces = TraceSettings.read();
    this.sched = new Sched(builder.config(), this, Inspector::new);
    this.carries = builder.carries;
    try {
      traces.applyTo(sched);
      if (builder.procs == 0) {
        ContainerSettings.follow(sched, builder.maxThreads == 0);
      }
      if (schedTrace > 0) {
        SchedTrace.start(sched, schedTrace, isShared ? "" : " scheduler=" + sched.name());
      }
      if (!leakCheck.isZero()) {
        StuckChecks.startOnce(leakCheck);
      }
      ProcessStatus.putIfAbsent(ProcessStatus.PROCS, Integer.toString(sched.procs()));
      StartLine.printOnce("library", "", false);
      Management.opened(this);
      if (Settings.isSet(Settings.DASHBOARD)) {
        DashboardLauncher.startOnce((owner, file) -> ((Scheduler) owner).trace(file));
      }
    } catch (Throwable t) {
      sched.closing().close(() -> {}); // otherwise its threads would run on
      throw t;
    }
  }

  /** Makes a scheduler of plain virtual threads, if Heddle is off. */
  @SuppressWarnings("NullAway") // if Heddle is off, no method uses sched, which is null then
  private Scheduler(String name, boolean isShared, Builder builder) {
    EarlyInitialization.run();
    UnknownSettings.warnOnce();
    this.isShared = isShared;
    this.sched = null;
    this.plain = new PlainScheduler(this, name, builder.uncaught);
    this.carries = builder.carries;
    StartLine.printOff();
    Management.opened(this);
  }

  private static Scheduler make(Builder builder, boolean isShared) {
    if (MasterSwitch.isOff()) {
      return new Scheduler(builder.nameOrDefault(), isShared, builder);
    }
    if (builder.background) {
      VirtualThreads.ensureOpen(); // before any class of the scheduler is loaded
      if (!OsPriority.prepare()) {
        System.getLogger("io.heddle")
            .log(System.Logger.Level.INFO, "background work has normal priority on this system");
      }
      OsThread.prepare(); // so that sysmon knows which background threads wait for a CPU
      NormalPriority.prepare();
    }
    return NormalPriority.call(() -> new Scheduler(builder, isShared));
  }

  /** Makes a scheduler whose steps a test driver chooses: see {@link Bubble}. */
  Scheduler(Builder builder, Driver driver) {
    this.plain = null;
    this.isShared = false;
    this.sched = new Sched(builder.config(), this, Inspector::new, driver);
    this.carries = builder.carries;
  }

  /**
   * Returns the scheduler that the whole program shares. It is made on first use, with the settings
   * of the program, and is never closed.
   *
   * @return the shared scheduler
   * @throws IllegalStateException if {@code java.lang} is not open to Heddle; the message names the
   *     flag of {@code java} that opens it
   * @throws IllegalArgumentException if a setting has a value that is not allowed
   */
  public static Scheduler shared() {
    Scheduler made = shared;
    return made == null ? makeShared() : made;
  }

  /**
   * Returns the scheduler for background work that the whole program shares, which
   * {@link Go#background(Task)} uses: see {@link Builder#background}. It is made on first use, with
   * the settings of the program, and is never closed.
   *
   * @return the shared background scheduler
   * @throws IllegalStateException if {@code java.lang} is not open to Heddle
   * @throws IllegalArgumentException if a setting has a value that is not allowed
   */
  public static Scheduler background() {
    Scheduler made = background;
    if (made != null) {
      return made;
    }
    synchronized (SHARED_LOCK) {
      made = background;
      if (made != null) {
        return made;
      }
      made = make(builder().name("background").background(), true);
      background = made;
    }
    OpenSchedulers.opened(made);
    return made;
  }

  /**
   * Whether this scheduler is for background work: see {@link Builder#background}.
   *
   * @return whether it was made for background work, also where that has no effect on the priority;
   *     false if Heddle is off
   */
  public boolean isBackground() {
    return plain == null && sched.config().background();
  }

  /**
   * Returns the scheduler of the calling goroutine.
   *
   * @return its scheduler; null if the caller is any other thread
   */
  public static @Nullable Scheduler current() {
    if (MasterSwitch.isOff()) {
      PlainGoroutine caller = PlainGoroutine.current();
      return caller == null ? null : caller.scheduler().owner();
    }
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
   * Tells an observer of the schedulers of the program, for example to show the figures of each.
   * Before this method returns, it calls {@code opened} for each scheduler that is open now. For a
   * scheduler that is made later, the thread that makes it calls {@code opened}. The thread that
   * closes a scheduler calls {@code closed}.
   *
   * <p>Several threads may call {@code opened} and {@code closed} at the same time. For any one
   * scheduler, {@code closed} is called only after {@code opened} has returned. What the two throw
   * is logged.
   *
   * {@snippet :
   * Set<Scheduler> open = ConcurrentHashMap.newKeySet();
   * Runnable stop = Scheduler.watch(open::add, open::remove);
   * }
   *
   * @param opened gets a scheduler that can be used
   * @param closed gets a scheduler whose goroutines have ended
   * @return a task that ends these calls when it is run
   */
  public static Runnable watch(
      Consumer<? super Scheduler> opened, Consumer<? super Scheduler> closed) {
    return OpenSchedulers.watch(
        Objects.requireNonNull(opened, "opened"), Objects.requireNonNull(closed, "closed"));
  }

  /**
   * Returns the name, which threads, dumps and messages show.
   *
   * @return the name; several schedulers may have the same
   */
  public String name() {
    return plain == null ? sched.name() : plain.name();
  }

  /**
   * Starts a goroutine of this scheduler. Does not wait. The goroutine inherits the caller's
   * {@link Context#current}, and what a {@link Carry} carries. An exception that leaves
   * {@code task} goes to the {@linkplain Builder#uncaught handler} of this scheduler.
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
   * Runs {@code main} as a goroutine, the main goroutine, and waits until it has ended. Other
   * goroutines that {@code main} started may still be running then. An interrupt of the caller is
   * passed on to the main goroutine. The caller goes on waiting, and has its interrupt flag set
   * when this returns.
   *
   * @param main the code of the main goroutine
   * @throws Exception what {@code main} threw
   * @throws IllegalStateException if this scheduler is closed or closing, and the caller is not one
   *     of its goroutines
   * @throws DeadlockException if it is certain that the main goroutine can never continue. There
   *     are three cases. It waits for a cycle of goroutines: each waits for a {@link
   *     java.util.concurrent.locks.ReentrantLock} or monitor that the next one holds, or for the
   *     end of the next one. Or every goroutine waits, and no other thread can wake one. Or a check
   *     ({@code heddle leaks}, {@link SchedulerMXBean#findLeaked}, {@code heddle.leakcheck}) has
   *     found that nothing can wake the main goroutine. That includes a main goroutine that waits
   *     for ever on purpose, as with {@code new CountDownLatch(1).await()}. Such a goroutine should
   *     wait for a channel that a shutdown hook closes.
   */
  public void run(Task main) throws Exception {
    Objects.requireNonNull(main, "main");
    checkOpen();
    MainRun run = new MainRun(deadlockExits, carried(CurrentContext.inherited(main)));
    if (plain != null) {
      run.startAndWait(plain, CreationSite.of(main));
      return;
    }
    run.startAndWait(sched, CreationSite.of(main));
  }

  /**
   * Returns the number of goroutines that can run at the same time.
   *
   * @return the number of Ps
   */
  public int procs() {
    return plain == null ? sched.procs() : plain.procs();
  }

  /**
   * Sets the number of goroutines that can run at the same time: Go's {@code GOMAXPROCS}. If the
   * new number is smaller, goroutines that are running continue until they yield or wait.
   * Afterwards the number does not follow the limits of the container any more. If Heddle is off,
   * this changes nothing, and logs a warning.
   *
   * @param n the number of Ps, at most 1024; 0 or less changes nothing
   * @return the number before the call
   * @throws IllegalArgumentException if {@code n} is greater than 1024
   */
  public int procs(int n) {
    if (plain != null) {
      plain.warnOfNoEffect("procs(" + n + ")");
      return plain.procs();
    }
    return sched.procs(n);
  }

  /**
   * Returns the number of goroutines that were started and have not ended.
   *
   * @return the number of goroutines alive
   */
  public int goroutines() {
    return plain == null ? sched.goroutines() : plain.goroutines();
  }

  /**
   * Returns an executor that starts a goroutine for each task. The goroutine inherits the
   * {@link Context#current} of the thread that submits the task, and what a {@link Carry} carries.
   * Closing the executor waits for its tasks and does not close the scheduler. After {@link #close}
   * of this scheduler has begun, only its goroutines can submit tasks; any other thread gets a
   * {@link RejectedExecutionException}.
   *
   * @return a new executor
   * @throws IllegalStateException if this scheduler is closed or closing, and the caller is not one
   *     of its goroutines
   */
  public ExecutorService executor() {
    return executorBehind(null);
  }

  /**
   * Returns an executor for {@link #executor()} if {@code gate} is null. Otherwise returns one for
   * {@link LimitedExecutor}, whose tasks have places at {@code gate}. If a goroutine is
   * garbage-collected while it waits, its place is given back.
   */
  private ExecutorService executorBehind(@Nullable Gate gate) {
    checkOpen();
    return Executors.newThreadPerTaskExecutor(
        task -> {
          if (isClosedToCaller()) {
            throw new RejectedExecutionException(closedMessage());
          }
          Runnable users = LimitedExecutor.usersTask(task);
          Task inherits = carried(CurrentContext.inherited(task::run));
          return gate == null || plain != null
              ? newThread(inherits, users)
              : new GatedTaskGoroutine(sched, inherits, users, gate).thread();
        });
  }

  /**
   * Returns an executor like {@link #executor()} that has at most a number of goroutines at a time:
   * see {@link Limit}.
   *
   * @param limit the largest number of goroutines, and what happens to further tasks
   * @return a new executor
   * @throws IllegalStateException as {@link #executor()} does
   */
  public ExecutorService executor(Limit limit) {
    checkOpen();
    Gate gate = limit.openIn(gates());
    return new LimitedExecutor(executorBehind(gate), gate);
  }

  /**
   * Returns what happened at the {@linkplain Limit limits} of this scheduler, those of the agent
   * included.
   *
   * @return the figures by the name of the limit, in alphabetical order
   */
  public List<LimitStats> limits() {
    return gates().counts().stream().map(LimitStats::of).toList();
  }

  /**
   * Returns whether a piece of new work may begin, such as a request. Call this once for each piece
   * of work, before its costly part. If goroutines of this scheduler wait longer for a P than
   * {@link Builder#overload} allows, new work is refused until the queue is short again. Never
   * waits. Any thread may call this.
   *
   * {@snippet :
   * if (!scheduler.tryAdmit()) {
   *   response.setStatus(503);
   *   return;
   * }
   * }
   *
   * @return whether the work may begin; always true if the overload control is off
   */
  public boolean tryAdmit() {
    DelayGate gate = plain == null ? sched.delayGate() : null;
    return gate == null || gate.admits();
  }

  /**
   * Throws if a piece of new work must not begin: see {@link #tryAdmit}.
   *
   * @throws OverloadException if goroutines wait too long for a P
   */
  public void admit() {
    if (!tryAdmit()) {
      OverloadStats now = overload();
      throw new OverloadException(
          "scheduler %s is overloaded: goroutines wait %d ms for a P, allowed are %d ms"
              .formatted(name(), now.delayNanos() / 1_000_000, now.targetNanos() / 1_000_000));
    }
  }

  /**
   * Returns what the overload control has measured and decided.
   *
   * @return a snapshot; all zero if it is off
   */
  public OverloadStats overload() {
    return OverloadStats.of(plain == null ? sched.delayGate() : null);
  }

  private Gates gates() {
    return plain == null ? sched.gates() : plain.gates();
  }

  /**
   * Returns a factory of virtual threads that are goroutines of this scheduler. Its threads do not
   * inherit the {@link Context#current} of the thread that makes them. They inherit what a
   * {@link Carry} carries, unless they are workers of a thread pool, which serve many tasks. After
   * {@link #close} has begun, only goroutines of this scheduler can make threads; for any other
   * caller the factory throws {@link IllegalStateException}.
   *
   * @return a new factory
   */
  public ThreadFactory threadFactory() {
    return task -> {
      Objects.requireNonNull(task, "task");
      checkOpen();
      return newThread(carriedIntoThread(task), task);
    };
  }

  /**
   * Returns figures about what this scheduler is doing and has done. The figures are read while the
   * scheduler runs, so they need not be consistent with each other.
   *
   * @return a snapshot
   */
  public Stats stats() {
    if (plain != null) {
      return plain.stats();
    }
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
   * Returns how long goroutines were runnable before they ran, since this scheduler was made. The
   * scheduler always measures a sample of these waits: one in {@value Latency#ONE_IN}.
   *
   * @return a snapshot of the histogram
   */
  public Latency latency() {
    return Latency.of(plain == null ? sched.latency() : new SchedLatency());
  }

  /**
   * Counts the goroutines by what they do and by what they wait for. This reads the state of each
   * goroutine, which takes some ten milliseconds for a million goroutines. The goroutines run on
   * meanwhile.
   *
   * @return the counts
   */
  public GoroutineCounts goroutineCounts() {
    return GoroutineCounts.of(plain == null ? SchedCounters.of(sched).tally() : plain.tally());
  }

  /**
   * Returns the largest number of OS threads of this scheduler.
   *
   * @return the number set by {@link Builder#maxThreads}, by the setting, or by the limits of
   *     the container; 0 if Heddle is off
   */
  public int maxThreads() {
    return plain == null ? sched.maxThreads() : 0;
  }

  /**
   * Returns how often a goroutine gave up or lost its P to other goroutines because it blocked or
   * computed for too long, by reason.
   *
   * @return a snapshot of the counters
   */
  public HandOffs handOffs() {
    if (plain != null) {
      return new HandOffs(0, 0, 0, 0);
    }
    HandOff by = sched.handOffs();
    return new HandOffs(
        by.count(HandOff.Reason.COMPUTING),
        by.count(HandOff.Reason.NATIVE),
        by.count(HandOff.Reason.PINNED),
        by.count(HandOff.Reason.MARKED));
  }

  /**
   * Returns the places in the program where goroutines lost their P by force most often, because
   * they computed for too long or blocked their OS thread.
   *
   * @return at most ten places, the place with the most hand-offs first
   */
  public List<HandOffPlace> handOffPlaces() {
    return plain != null
        ? List.of()
        : Inspector.of(sched).handOffs().most(10).stream().map(HandOffPlace::of).toList();
  }

  /**
   * Returns how much CPU time the goroutines of this scheduler have used, by creation site and by
   * label.
   *
   * @return a snapshot; empty if Heddle is off
   */
  public CpuUsage cpuUsage() {
    return plain == null
        ? CpuUsage.of(Inspector.of(sched).cpuTimes())
        : new CpuUsage(false, List.of(), List.of());
  }

  /**
   * Takes a profile of all goroutines, those that wait included: how much time they spend in each
   * state, and where. The calling thread reads states and stacks up to fifty times a second, less
   * often if there are many goroutines. It uses at most about 5 % of one CPU.
   *
   * @param duration how long, from 1 ms to 1 h. If the caller is interrupted, this returns early,
   *     with the interrupt flag set
   * @return the stacks that were seen, the stack with the most time first
   * @throws IllegalArgumentException if {@code duration} is out of range
   * @throws IllegalStateException if Heddle is off ({@code HEDDLE=off})
   */
  public List<ProfiledStack> profile(Duration duration) {
    if (duration.compareTo(Duration.ofMillis(1)) < 0
        || duration.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "the duration is " + duration + ": allowed is 1 ms to 1 h");
    }
    if (plain != null) {
      throw new IllegalStateException(MasterSwitch.missing("there is no profile"));
    }
    return Profile.of(sched, duration.toNanos()).stream().map(ProfiledStack::of).toList();
  }

  /**
   * Describes every goroutine in the form of Go's dumps: id, name, state, wait reason and time,
   * stack, and creation site.
   *
   * @return the dump, with line breaks
   */
  public String dump() {
    return plain == null ? Dump.of(sched) : plain.dump();
  }

  /**
   * Describes every goroutine like {@link #dump}, but shows goroutines with the same stack and
   * state once, with their number. The largest groups come first.
   *
   * @return the dump, with line breaks
   */
  public String dumpGrouped() {
    return plain == null ? Dump.grouped(sched) : plain.dumpGrouped();
  }

  /**
   * Returns the number of goroutines that wait for each other, as the last check has found. A check
   * is made by {@link #dump}, {@code heddle leaks}, {@link SchedulerMXBean#findDeadlocked}, or at
   * intervals by the setting {@code heddle.leakcheck}.
   *
   * @return their number; 0 if there was no check
   */
  public int deadlockedGoroutines() {
    return plain == null ? Inspector.of(sched).checks().deadlocked() : 0;
  }

  /**
   * Returns the number of goroutines that nothing can wake, as the last check has found. A check is
   * made by {@code heddle leaks}, {@link SchedulerMXBean#findLeaked}, or at intervals by the
   * setting {@code heddle.leakcheck}. Calls of {@link #leaked} do not count.
   *
   * @return their number; 0 if there was no check
   */
  public int leakedGoroutines() {
    return plain == null ? Inspector.of(sched).checks().leaked().size() : 0;
  }

  /**
   * Finds the goroutines that can never continue, because nothing else in the program refers to
   * them or to what they wait for. This is a check for the end of a test. It runs the garbage
   * collector, which finds such goroutines and collects them.
   *
   * <p>A goroutine that another thread could still wake or interrupt is not found. Therefore it is
   * not found if one of these is still referenced, even if the program never uses it again:
   * <ul>
   *   <li>the channel or lock for which it waits;
   *   <li>its {@link Goroutine}, or its thread. An executor refers to the threads of its tasks, and
   *       the JDK refers to all threads that were started with plain JDK calls.
   * </ul>
   *
   * <p>The main goroutine of a {@link #run} that has not returned is not found either.
   *
   * <p>Weakly referenced objects count as unreachable. A {@link java.lang.ref.WeakReference} to
   * what only a waiting goroutine keeps alive is cleared.
   *
   * @return the leaked goroutines
   * @throws IllegalStateException if the garbage collector does not run on request
   *     ({@code -XX:+DisableExplicitGC}), or if Heddle is off ({@code HEDDLE=off})
   */
  public List<LeakedGoroutine> leaked() {
    if (plain != null) {
      throw new IllegalStateException(MasterSwitch.missing("leaks cannot be found"));
    }
    return Leaks.find(sched).stream().map(LeakedGoroutine::of).toList();
  }

  /**
   * Starts to write the events of this scheduler to a file, which {@code heddle trace FILE} shows:
   * start, run, wait (and for what), wake-up, steal, loss of a P, and end of each goroutine. An
   * existing file is overwritten. Closing the result ends the file, and so does closing the
   * scheduler. If the disk is too slow, events are dropped; the file says how many.
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
    if (plain != null) {
      plain.warnOfNoEffect("trace");
      return () -> {};
    }
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
   * {@code heddle trace FILE}. These are up to ten seconds, or fewer if more events happened than
   * fit into the memory reserved for them. The setting {@code heddle.flight} turns the recording
   * on.
   *
   * @param file the file to write
   * @throws IllegalStateException if the setting {@code heddle.flight} is not set, or if Heddle is
   *     off ({@code HEDDLE=off})
   * @throws UncheckedIOException if the file cannot be written
   */
  public void flight(Path file) {
    Objects.requireNonNull(file, "file");
    if (plain != null) {
      throw new IllegalStateException(MasterSwitch.missing("the flight recorder is off"));
    }
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
   * Waits until all goroutines have ended, and then ends the threads of this scheduler. Waits also
   * for goroutines that goroutines start meanwhile. Does not wait for timers; after this they do
   * not fire any more. If the caller is interrupted while it waits, the goroutines are interrupted
   * too, the wait goes on, and the caller's interrupt flag is set at the end. Closing again does
   * nothing.
   *
   * @throws UnsupportedOperationException if this is {@link #shared} or {@link #background}
   * @throws IllegalStateException if the caller is a goroutine of this scheduler
   */
  @Override
  public void close() {
    checkMayClose();
    if (plain != null) {
      plain.close();
    } else {
      sched.closing().close(this::interruptAll);
    }
    Management.closed(this);
    OpenSchedulers.closed(this);
  }

  /**
   * Interrupts all goroutines and then does what {@link #close} does. Waits also for goroutines
   * that ignore the interrupt.
   *
   * @throws UnsupportedOperationException if this is {@link #shared} or {@link #background}
   * @throws IllegalStateException if the caller is a goroutine of this scheduler
   */
  public void shutdownNow() {
    checkMayClose();
    if (plain != null) {
      plain.beginClosing();
    } else {
      sched.closing().begin();
    }
    interruptAll();
    close();
  }

  @Override
  public String toString() {
    return "Scheduler[" + name() + ", procs=" + procs() + ", goroutines=" + goroutines() + "]";
  }

  /** Returns the scheduler of {@code g}. */
  static Scheduler of(G g) {
    return (Scheduler) g.sched().owner();
  }

  /**
   * Returns the Ps, Ms and queues. Must not be called if Heddle is off, because this scheduler has
   * none then.
   */
  Sched sched() {
    return sched;
  }

  /** Returns the heap to which the caller must add a timer. */
  TimerHeap timersOfCaller() {
    return plain == null ? sched.timersOfCaller() : plain.timers().heap();
  }

  /** Returns the time {@code nanos} from now, on the scale of this scheduler's timers. */
  long timeAfter(long nanos) {
    return plain == null ? sched.timeAfter(nanos) : Clock.after(Clock.now(), nanos);
  }

  /** Returns the date and time that a timer sends when it fires; in a bubble, the bubble's time. */
  Instant instant() {
    return plain == null ? sched.instant() : Instant.now();
  }

  /**
   * Logs an error; {@code cause} is null if no exception caused it. An M writes the message later,
   * outside of scheduler code, because a logger may block. If Heddle is off, the caller writes it
   * at once. Any thread may call this. Never throws.
   */
  void logLater(String what, @Nullable Throwable cause) {
    if (plain == null) {
      sched.logLater(what, cause);
    } else {
      plain.log(what, cause);
    }
  }

  /**
   * Returns the number of goroutines for each state and, for those that wait, for each wait reason.
   */
  Map<String, Integer> byState() {
    return plain == null ? SchedCounters.of(sched).byState() : plain.byState();
  }

  /**
   * Makes the shared scheduler. A static initializer would not do: if a setting is wrong or a flag
   * is missing, each use must report that, but a static initializer that fails reports its cause
   * only once.
   */
  private static Scheduler makeShared() {
    Scheduler made;
    synchronized (SHARED_LOCK) {
      made = shared;
      if (made != null) {
        return made;
      }
      made = make(builder().name("shared"), true);
      shared = made;
    }
    OpenSchedulers.opened(made);
    return made;
  }

  private Goroutine start(@Nullable String name, Task task, Task users) {
    checkOpen();
    return startFrom(plain == null ? Sched.current() : null, name, task, users);
  }

  /**
   * Starts a goroutine without the check for a closed scheduler, which goroutines of this scheduler
   * do not need. {@code caller} is the calling goroutine; null if any other thread calls. {@code
   * name} is null if the goroutine has no name. {@code users} is the task as the user passed it;
   * its class determines the recorded creation site.
   */
  Goroutine startFrom(@Nullable G caller, @Nullable String name, Task task, Task users) {
    Objects.requireNonNull(task, "task");
    Task inherits = carried(CurrentContext.inherited(task));
    if (plain != null) {
      return plain.start(name, inherits, CreationSite.of(users));
    }
    LiveGoroutine g = new LiveGoroutine(sched, name, inherits, caller, CreationSite.of(users));
    sched.start(g);
    return g;
  }

  /**
   * Starts a goroutine for the library itself: without the caller's context, and also after the
   * close has begun. Any thread may call this, also an M in scheduler code (a timer that fires).
   * {@code site} is the creation site; null if it is not known.
   */
  void startOwn(Task task, @Nullable StackTraceElement site) {
    if (plain != null) {
      plain.startOwn(task, site);
      return;
    }
    sched.start(new LiveGoroutine(sched, null, task, Sched.current(), site));
  }

  /**
   * Captures the context of the calling thread with each {@link Carry}. Returns a task that
   * restores the context and then runs {@code task}.
   */
  Task carried(Task task) {
    return carries == LoadedCarries.NONE ? task : CarriedTask.of(this, carries(), task);
  }

  /**
   * Wraps the task of a thread that a factory makes, like {@link #carried}. The worker of a thread
   * pool gets no context, because it serves many tasks.
   */
  private Task carriedIntoThread(Runnable task) {
    Task run = task::run;
    return carries == LoadedCarries.NONE || CarriedTask.isPoolWorker(task)
        ? run
        : CarriedTask.of(this, carries(), run);
  }

  private Carry[] carries() {
    Carry[] known = carries;
    if (known == null) {
      known = LoadedCarries.get();
      carries = known;
    }
    return known == null ? LoadedCarries.NONE : known;
  }

  /** Logs the first failure of a {@link Carry} in this scheduler. Never throws. */
  void carryFailed(Carry carry, String method, Throwable why) {
    if (!carryHasFailed) {
      carryHasFailed = true;
      String what = carry.getClass().getName() + "." + method;
      logLater(what + " failed, so context is lost; later failures are not logged", why);
    }
  }

  /**
   * Makes the thread of a goroutine that runs {@code task}. {@code users} is the task as the user
   * passed it; its class determines the creation site.
   */
  private Thread newThread(Task task, Runnable users) {
    return plain == null
        ? LiveGoroutine.ofRunnable(sched, task, users).thread()
        : plain.newThread(task, CreationSite.of(users));
  }

  /**
   * Throws if closing has begun and the caller is not a goroutine of this scheduler. From then on
   * only its goroutines may start others.
   */
  private void checkOpen() {
    if (isClosedToCaller()) {
      throw new IllegalStateException(closedMessage());
    }
  }

  /** Whether closing has begun, and the caller is not a goroutine of this scheduler. */
  private boolean isClosedToCaller() {
    boolean hasBegun = plain == null ? sched.closing().hasBegun() : plain.isClosing();
    return hasBegun && current() != this;
  }

  String closedMessage() {
    return "scheduler " + name() + " is closed";
  }

  private void checkMayClose() {
    if (isShared) {
      throw new UnsupportedOperationException("the " + name() + " scheduler is never closed");
    }
    if (current() == this) {
      throw new IllegalStateException(
          "scheduler "
              + name()
              + " cannot be closed by one of its own goroutines: it would wait for itself");
    }
  }

  private void interruptAll() {
    if (plain != null) {
      plain.interruptAll();
    } else {
      sched.registry().interruptAll();
    }
  }

  /**
   * Throws {@code thrown}, if it is not null. A throwable that is neither an Exception nor an Error
   * becomes the cause of an {@link IllegalStateException}.
   */
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
   * program's settings (system property, then environment variable), or else has a default.
   *
   * {@snippet :
   * Scheduler io = Scheduler.builder().name("io").procs(4).timeSlice(Duration.ofMillis(5)).build();
   * }
   *
   * <p>Several threads must not use one builder at the same time. A builder can build several
   * schedulers.
   */
  public static final class Builder {
    private @Nullable String name;
    private int procs;
    private int maxThreads;
    private @Nullable Duration timeSlice;
    private boolean deadlockDetection = true;
    private boolean background;
    private @Nullable Duration overload;
    private BiConsumer<? super Goroutine, ? super Throwable> uncaught = Uncaught::print;
    private Carry @Nullable [] carries;

    private Builder() {}

    /**
     * Sets the name of the scheduler, which the names of its threads, dumps and messages contain.
     * Default: {@code scheduler-} and a number.
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
     * {@code heddle.procs}, or else the number of CPUs that the container may use. In the latter
     * case the number of Ps follows that limit while the program runs.
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
     * Sets the largest number of OS threads of the scheduler. If all of them block, other
     * goroutines wait until one is free again, and this is logged once. When 80 % of the number are
     * in use, a warning is logged once. Default: the setting {@code heddle.maxthreads}, or else
     * 10000. This default is lower if the stacks of 10000 threads could fill more than half of the
     * memory of the container or machine. It is also lower if the container allows fewer than 20000
     * processes and threads.
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
     * Sets the time slice: how long a goroutine may keep a P while others wait for it. Goroutines
     * that wake each other share one time slice. Default: the setting {@code heddle.timeslice}, or
     * else 10 ms.
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
     * Makes this a scheduler for background work, such as batch jobs: its OS threads get the CPU
     * time that others leave. In Linux they have the nice value 19, for which no privileges are
     * needed, so even a goroutine that computes hardly delays a request in another scheduler. If
     * all CPUs are busy, background goroutines still get one or two percent of the time. In other
     * operating systems the scheduler is an ordinary one.
     *
     * <p>A background goroutine that holds a lock can be off the CPU for long. So code of other
     * schedulers should not wait for locks that background goroutines take; channels are made for
     * this. Platform threads that a background goroutine starts have the low priority, too.
     *
     * @return this builder
     */
    public Builder background() {
      this.background = true;
      return this;
    }

    /**
     * Sets how long goroutines may wait for a P before {@link Scheduler#admit} refuses new work.
     * Default: the setting {@code heddle.overload}; without it no work is refused.
     *
     * @param target from 1 ms to 60 s; 20 ms suits requests of a few milliseconds
     * @return this builder
     * @throws IllegalArgumentException if {@code target} is out of range
     */
    public Builder overload(Duration target) {
      this.overload = Settings.checkOverload("overload", target);
      return this;
    }

    /**
     * Sets the handler for exceptions that leave a goroutine. It runs in that goroutine, and
     * several goroutines may run it at the same time. After the handler has returned, the goroutine
     * ends and the program continues. The default handler writes one block to standard error with
     * the goroutine, the stack trace and the creation site.
     *
     * @param handler gets the goroutine and what it threw
     * @return this builder
     */
    public Builder uncaught(BiConsumer<? super Goroutine, ? super Throwable> handler) {
      this.uncaught = Objects.requireNonNull(handler, "handler");
      return this;
    }

    /**
     * Sets what goroutines inherit from the thread that starts them. Default: every {@link Carry}
     * that {@link java.util.ServiceLoader} finds.
     *
     * @param carries the only carries that this scheduler uses, in this order; without any, its
     *     goroutines inherit nothing by a carry
     * @return this builder
     */
    public Builder carry(Carry... carries) {
      this.carries =
          carries.length == 0 ? LoadedCarries.NONE : List.of(carries).toArray(Carry[]::new);
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
      Scheduler made = make(this, false);
      try {
        OpenSchedulers.opened(made);
      } catch (Throwable t) { // no memory; the caller cannot close a scheduler it does not get
        made.close();
        throw t;
      }
      return made;
    }

    private String nameOrDefault() {
      return name == null ? "scheduler-" + UNNAMED.incrementAndGet() : name;
    }

    private SchedConfig config() {
      BiConsumer<? super Goroutine, ? super Throwable> handler = uncaught;
      Duration slice = timeSlice == null ? Settings.timeSlice() : timeSlice;
      return new SchedConfig(
          nameOrDefault(),
          procs == 0 ? Settings.PROCS.read() : procs,
          maxThreads == 0 ? Settings.MAX_THREADS.read() : maxThreads,
          slice.toNanos(),
          SchedConfig.IDLE_TIME_NANOS,
          deadlockDetection,
          background,
          (overload == null ? Settings.overload() : overload).toNanos(),
          Settings.exactCpuTime(),
          Thread::start,
          LiveGoroutine::adopted,
          (g, e) -> handler.accept((LiveGoroutine) g, e));
    }
  }
}
