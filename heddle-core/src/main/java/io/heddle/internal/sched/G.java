package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.part.Account;
import io.heddle.internal.part.MarkedCall;
import io.heddle.internal.part.ThreadLock;
import io.heddle.internal.queue.QueueNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine: a virtual thread, and the executor of this thread alone.
 *
 * <p>The JDK asks a virtual thread's executor to run its continuation each time the thread becomes
 * runnable, so {@link #execute} <em>is</em> Go's {@code ready(g)}. Any thread may call {@code
 * execute}. The method never parks. A submission (a call of {@code execute}) is never lost for lack
 * of memory or stack.
 *
 * <p>The file is long because a third of it is the argument why no submission is lost, and the
 * states of a goroutine.
 */
public abstract class G extends QueueNode<G> implements Executor, Runnable {
  /*
   * States (status). The three columns: Is the goroutine on a run queue? May an M be running its
   * continuation? Can it continue without being made ready?
   *   NEW       no,  no,  no    made, not started
   *   STARTED   yes, no,  yes   like RUNNABLE, for the first time
   *   RUNNABLE  yes, no*, yes   held by one queue only, or by the M that takes it from there (Q7)
   *   RUNNING   no,  yes, -     an M has taken it off its queue to run it. Whether it has parked
   *                             since, only the JDK state of its thread tells.
   *   DEAD      no,  no,  no    its thread has ended
   *   (*) the M that ran it last may still be leaving that run, which is over for the JDK.
   * Transitions: NEW -> STARTED and RUNNING -> RUNNABLE by ready; STARTED -> RUNNING and
   * RUNNABLE -> RUNNING by the M that took it from a queue; RUNNING -> DEAD by the first M that
   * sees its thread ended, unless the goroutine has recorded its own end (field finished).
   * What a user sees (waiting, and for what) is derived from status and the JDK state of the
   * thread: see GoroutineState.
   *
   * The status word also counts turns: how often the goroutine has become ready. A trace orders the
   * events of a goroutine by their turns.
   *
   * Ordering. To read the stack of an unmounted thread, the JDK suspends the thread. Afterwards the
   * JDK submits its continuation again, sometimes late. So a continuation may be submitted while it
   * is queued, runs or waits. A run of a thread that cannot continue returns at once.
   *   Submitter: 1. Write the thread's JDK state. 2. Read status; if it is RUNNABLE, drop the
   *   submission.
   *   M: 1. Write status (toRunning). 2. Read the JDK state.
   * At least one of the two must see the other's write, or the submission is lost. Three cases:
   *   a. The run continues the thread. To do so it exchanges the JDK state, after the M has written
   *      status. The exchange orders the M's write before its read.
   *   b. The thread cannot continue when the M takes it (it is suspended, parked, or runs
   *      elsewhere). toRunning executes a full fence after the write, and the run that follows
   *      reads the JDK state.
   *   c. The thread could continue when the M took it, and was suspended before the M's run began,
   *      so the run returned at once. If afterRun still finds it suspended, the full fence there
   *      orders the M's write of status before its next read of the JDK state, as in b. If afterRun
   *      finds that the thread can continue, or if that next read says so, the M queues the
   *      goroutine itself. If the submitter does so, too, the compare-and-set of status lets only
   *      one of them succeed.
   *
   * With HeddleMount, a thread may be able to continue after a run although the JDK submits it to
   * no executor. That is so if it has yielded, or if its permit came before it parked. Then
   * afterRun alone queues the goroutine; there is a fence between the write of that JDK state and
   * the reads in afterRun.
   *
   * Differences from Go: there is no state like Gwaiting, because the JDK parks a thread without
   * telling its executor. Dead Gs are not reused (G3): a virtual thread runs once, and users keep
   * the handle. Decision 3 has the figures.
   *
   * Checked by: GTest (transitions), SubmissionTest, GStress (jcstress; it must also find
   * the faults put into copies of G), SchedulerStressTest.
   */
  static final int NEW = 0;
  static final int STARTED = 1;
  static final int RUNNABLE = 2;
  static final int RUNNING = 3;
  static final int DEAD = 4;

  private static final int STATE_MASK = 7;
  private static final int TURN_SHIFT = 3;

  private static final VarHandle STATUS =
      Handles.field(MethodHandles.lookup(), "status", int.class);
  private static final VarHandle ORIGIN =
      Handles.field(MethodHandles.lookup(), "origin", Object.class);

  // The fields are few and small, because millions of goroutines may wait: with these fields a G
  // takes 64 bytes, one cache line.
  final Sched sched;
  final Thread thread;

  /** The id of the goroutine that made this one; 0 if no goroutine of this scheduler made it. */
  private final long creator;

  /** The id of the goroutine: assigned when the goroutine is started, 0 before. */
  long id;

  /**
   * The time at which this goroutine last ran, in {@link Sysmon#coarseTime()}. To save readings of
   * the clock, it is the time at which the M began that row of runs. Written by the M that is about
   * to run the goroutine.
   */
  int lastRun;

  /**
   * The slots of the chunk of {@link GoroutineList} to which this goroutine was added; null before.
   * The field keeps its value when the goroutine is removed.
   */
  @Nullable Object @Nullable [] home;

  /** The index of this goroutine in {@link #home}. */
  byte slot;

  /**
   * Whether this goroutine is locked to one M and may run on no other (G7); see {@link ThreadLock}.
   * Written by the goroutine, read by the M that takes it from a queue.
   */
  boolean locked;

  /**
   * Whether this goroutine has recorded its own end, at the end of {@link #run}. An M that sees the
   * thread ended reads this field, so that the end is not recorded twice.
   */
  private boolean finished;

  /**
   * Whether a submission of this goroutine ran out of stack, so that an M must repeat it: see
   * {@link #execute}.
   */
  private volatile boolean stranded;

  /**
   * Where this goroutine was created, a {@link StackTraceElement} or null; or its {@link Account},
   * which then has that place. One field for both, because few goroutines have an account.
   */
  private @Nullable Object origin;

  /** The pair (turn, state): how often the goroutine has become ready, and its state now. */
  private volatile int status;

  /** Makes a goroutine that will run {@link #run} in a thread of its own. */
  @SuppressWarnings("this-escape") // the thread is not started before the subclass is complete
  protected G(
      Sched sched, @Nullable String name, @Nullable G caller, @Nullable StackTraceElement site) {
    this.sched = sched;
    this.origin = site;
    this.thread = VirtualThreads.newThread(this, name, this);
    this.creator = caller != null && caller.sched == sched ? caller.id : 0;
  }

  /** Makes a goroutine whose creation site is not known. */
  protected G(Sched sched, @Nullable String name, @Nullable G caller) {
    this(sched, name, caller, null);
  }

  /** Makes a goroutine for a virtual thread that exists already; {@link #run} is never called. */
  protected G(Sched sched, Thread thread) {
    this.sched = sched;
    this.thread = thread;
    this.creator = sched.currentId();
  }

  /**
   * Makes this goroutine ready. The JDK calls this method when the thread becomes runnable. The JDK
   * also calls it when a child thread starts that has inherited this executor; then the child
   * becomes a goroutine.
   */
  @Override
  public final void execute(Runnable task) {
    try {
      if (!(Thread.currentThread() instanceof M)) {
        StackHeadroom.ensure();
      }
    } catch (StackOverflowError e) {
      if (status == NEW) { // the field, because a method call may lack stack
        throw e; // the JDK undoes the start and throws to its caller
      }
      // The JDK has already made the thread runnable, so the submission must not be lost. There may
      // be no stack for a call, so only flags are set; an M that sees them makes this goroutine
      // ready. If the submission was the start of a child, this goroutine is made ready in vain,
      // which is harmless.
      stranded = true;
      sched.hasChores = true;
      sched.attentionNeeded = true;
      if (task != VirtualThreads.continuation(thread)) {
        throw e;
      }
      return;
    }
    if (task == VirtualThreads.continuation(thread)) {
      sched.ready(this);
    } else {
      sched.adopt(task);
    }
  }

  /** Reports an exception that the task threw. The thread ends; its M and P continue (rule G5). */
  protected final void uncaught(Throwable e) {
    sched.uncaught(this, e);
  }

  public final Sched sched() {
    return sched;
  }

  public final long id() {
    return id;
  }

  public final long creator() {
    return creator;
  }

  public final Thread thread() {
    return thread;
  }

  /** Returns where in the program this goroutine was started; null if the place is not known. */
  public final @Nullable StackTraceElement site() {
    Object known = ORIGIN.getAcquire(this);
    return known instanceof Account account ? account.site : (StackTraceElement) known;
  }

  /** Returns the account of this goroutine, and makes it if there is none. For any thread. */
  final Account account() {
    for (; ; ) {
      Object known = ORIGIN.getAcquire(this);
      if (known instanceof Account account) {
        return account;
      }
      Account opened = new Account((StackTraceElement) known, Map.of());
      if (ORIGIN.compareAndSet(this, known, opened)) {
        return opened;
      }
    }
  }

  /** Returns the labels of this goroutine, in the order of their keys. */
  public final Map<String, String> labels() {
    return ORIGIN.getAcquire(this) instanceof Account account ? account.labels() : Map.of();
  }

  /**
   * Replaces the labels. Called by the thread that makes this goroutine, and later only by the
   * goroutine.
   */
  public final void label(Map<String, String> labels) {
    if (sched.exactCpuTime && Thread.currentThread() == thread) {
      settle();
    }
    account().label(labels);
  }

  /** Charges this goroutine, which is the caller, with its CPU time until now. */
  private void settle() {
    // The charge may wait for a monitor for which Ms wait, too (CpuTotals). A goroutine that
    // unmounted with that monitor would block them: see HACKING, "Rules for scheduler code", 2.
    boolean isPinned = VirtualThreads.pin();
    try {
      M m = sched.currentM();
      if (m != null && m.slots.cpu.isRunning(this)) {
        chargeRun(m);
        m.slots.cpu.begin(this);
      }
    } finally {
      if (isPinned) {
        VirtualThreads.unpin();
      }
    }
  }

  /**
   * Charges this goroutine with the CPU time that {@code m} has used for it since the last charge.
   * Called at the end of a run, and before the labels change. If there is no memory for a new
   * account, the time is lost. If there is no memory for a new total, the time is in the account
   * and in no total. This method does not throw then, because the end of a run must not fail.
   */
  final void chargeRun(M m) {
    m.slots.cpu.beginEnd();
    try {
      charge(m.advanceCpu());
    } catch (OutOfMemoryError e) {
      // The time is lost, or is in no total: see the Javadoc.
    } finally {
      m.slots.cpu.end();
    }
  }

  /** Charges this goroutine with CPU time. Called by one thread at a time: see {@link Account}. */
  final void charge(long nanos) {
    if (nanos > 0) {
      account().charge(thread, sched.cpuTotals, nanos);
    }
  }

  /** Returns how many nanoseconds this goroutine has run on a CPU: see {@link CpuTimes}. */
  public final long cpuNanos() {
    return sched.exactCpuTime ? account().tell(exactNanos()) : chargedNanos();
  }

  private long exactNanos() {
    for (M m : sched.threads.all()) {
      long running = m.cpuTimeOf(this);
      if (running >= 0) {
        return running;
      }
    }
    return chargedNanos();
  }

  /** Returns the CPU time that this goroutine was charged with. */
  final long chargedNanos() {
    return ORIGIN.getAcquire(this) instanceof Account account ? account.nanosAcquire() : 0;
  }

  /**
   * Returns the line of a dump that says where and by which goroutine this one was created; empty
   * if neither is known.
   */
  public final String createdBy() {
    StackTraceElement site = site();
    if (site == null && creator == 0) {
      return "";
    }
    String where = site == null ? "a plain JDK call" : site.toString();
    return "created by " + where + (creator == 0 ? "" : " in goroutine " + creator) + "\n";
  }

  /** Returns the state of this goroutine that a user sees. */
  public final GoroutineState goroutineState() {
    return switch (state()) {
      case NEW -> GoroutineState.NEW;
      case STARTED, RUNNABLE -> GoroutineState.RUNNABLE;
      case DEAD -> GoroutineState.DEAD;
      default -> {
        GoroutineState state = GoroutineState.of(VirtualThreads.phase(thread));
        yield state == GoroutineState.RUNNING && isInCall() ? GoroutineState.SYSCALL : state;
      }
    };
  }

  /**
   * Whether this goroutine runs and is in a {@linkplain MarkedCall marked call}, a call that was
   * announced as blocking.
   */
  private boolean isInCall() {
    for (M m : sched.threads.all()) {
      if (m.call.isInside() && m.current() == this) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns why this goroutine waits, in Go's words where Go has them; empty if it does not wait.
   */
  public final String reason() {
    return goroutineState() == GoroutineState.WAITING ? WaitReason.of(thread) : "";
  }

  /** Returns why this goroutine waits or, if it does not wait, its state, in one or a few words. */
  public final String doing() {
    GoroutineState state = goroutineState();
    String reason = state == GoroutineState.WAITING ? WaitReason.of(thread) : "";
    return reason.isEmpty() ? state.word() : reason;
  }

  /**
   * Returns why this goroutine waits, without reading its stack. Returns null if only its stack
   * would tell, and an empty string if it does not wait.
   */
  public final @Nullable String reasonWithoutStack() {
    return goroutineState() == GoroutineState.WAITING ? WaitReason.atAGlance(thread) : "";
  }

  /**
   * Returns about how many nanoseconds ago this goroutine last began to run. An M takes the time
   * only once for each row of runs, so the result may be too high. It has no meaning before the
   * first run.
   */
  public final long nanosSinceLastRun() {
    return Math.max(0, Sysmon.since(lastRun));
  }

  /**
   * Returns when this goroutine last ran, in coarse time. If two calls return different values, the
   * goroutine has run in between.
   */
  public final int lastRunTick() {
    return lastRun;
  }

  public final boolean isNew() {
    return state() == NEW;
  }

  public final boolean isRunnable() {
    int s = state();
    return s == STARTED || s == RUNNABLE;
  }

  final boolean isDead() {
    return state() == DEAD;
  }

  /**
   * Whether an M has taken this goroutine off its queue, and nothing has queued it since: it runs,
   * waits, or has recorded its own end.
   */
  final boolean isOffQueue() {
    return state() == RUNNING;
  }

  /**
   * Claims the right to queue this goroutine. If the result is true, the caller must queue it.
   * False if it is queued already, or dead.
   */
  public final boolean toRunnable() {
    for (; ; ) {
      int s = status;
      switch (s & STATE_MASK) {
        case NEW -> {
          toStarted();
          return true;
        }
        case RUNNING -> {
          if (casStatus(s, ((s & ~STATE_MASK) + (1 << TURN_SHIFT)) | RUNNABLE)) {
            return true;
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  /** Moves this goroutine to STARTED. Only the thread that starts it may refer to it yet. */
  final void toStarted() {
    statusRelease(STARTED);
  }

  /**
   * Moves this goroutine to RUNNING. Called by the M that has taken it from a queue, so by one
   * thread at a time. Throws an IllegalStateException if the goroutine is not runnable.
   */
  final void toRunning() {
    if (!isRunnable()) {
      throw new IllegalStateException("goroutine " + id + " cannot run: it is " + goroutineState());
    }
    statusRelease((status & ~STATE_MASK) | RUNNING);
    if (!VirtualThreads.isRunnable(thread)) {
      VarHandle.fullFence(); // orders the write of status before the run: see Ordering, case b
    }
  }

  /**
   * Queues this goroutine if it can continue, or records its end if its thread has ended. Called
   * after a run, by the M that ran it.
   */
  final void afterRun() {
    if (VirtualThreads.isParked(thread) || state() != RUNNING) {
      return; // the goroutine waits, or is queued again already
    }
    if (VirtualThreads.isSuspended(thread)) {
      VarHandle.fullFence(); // see Ordering, case c
    }
    if (VirtualThreads.isRunnable(thread)) {
      sched.ready(this);
    } else if (VirtualThreads.isTerminated(thread) && !finished && toDead()) {
      sched.registry.recordEnd(this); // the thread has ended and has not recorded that
    }
  }

  /**
   * Records the end of this goroutine. Called at the end of {@link #run}. Does nothing if the
   * caller is not its own thread, or if the end is recorded already.
   */
  protected final void finished() {
    if (Thread.currentThread() == thread && !finished) {
      finished = true;
      sched.registry.recordEnd(this);
    }
  }

  /**
   * Called once, when this goroutine has ended or is about to: by the goroutine, or by the M that
   * ran it, in scheduler code. Must not park, and must not throw.
   */
  protected void ended() {}

  /**
   * Returns what must follow if this goroutine is collected while it waits, and so never ends; null
   * if nothing must. The result must not refer to this goroutine, and must not park.
   */
  public @Nullable Runnable whenCollected() {
    return null;
  }

  /** Makes this goroutine ready if a submission of it ran out of stack; see {@link #execute}. */
  public final void rescue() {
    if (stranded) {
      stranded = false;
      sched.ready(this);
    }
  }

  /**
   * Whether the last run of this goroutine ended in {@code Thread.yield} (JDK state YIELDED) rather
   * than in a park.
   */
  final boolean hasYielded() {
    return VirtualThreads.hasYielded(thread);
  }

  private void statusRelease(int next) {
    STATUS.setRelease(this, next);
  }

  /**
   * Returns the task that the JDK submits to continue this goroutine: the same object each time.
   */
  final Runnable continuation() {
    return VirtualThreads.continuation(thread);
  }

  /** Moves this goroutine from RUNNING to DEAD; false if it is not RUNNING any more. */
  private boolean toDead() {
    int s = status;
    return (s & STATE_MASK) == RUNNING && casStatus(s, (s & ~STATE_MASK) | DEAD);
  }

  private int state() {
    return status & STATE_MASK;
  }

  /**
   * Returns the turn of this goroutine: how often it has become ready since its start, modulo 2 to
   * the 29th. For traces.
   */
  final int turn() {
    return status >>> TURN_SHIFT;
  }

  private boolean casStatus(int expected, int next) {
    return STATUS.compareAndSet(this, expected, next);
  }
}
