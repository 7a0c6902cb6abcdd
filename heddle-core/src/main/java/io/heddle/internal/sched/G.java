package io.heddle.internal.sched;

import io.heddle.internal.base.Handles;
import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.queue.QueueNode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine: a virtual thread, and the executor of this thread alone.
 *
 * <p>The JDK asks a virtual thread's executor to run its continuation each time the thread becomes
 * runnable, so {@link #execute} <em>is</em> Go's {@code ready(g)}. Any thread may call {@code
 * execute}. The method never parks, and it loses no submission for lack of memory or stack.
 */
public abstract class G extends QueueNode<G> implements Executor, Runnable {
  /*
   * States (status). For each: is it on a run queue? may an M be running its continuation? can it
   * continue without being made ready?
   *   NEW       no,  no,  no    made, not started
   *   STARTED   yes, no,  yes   like RUNNABLE, for the first time
   *   RUNNABLE  yes, no*, yes   held by one queue only, or by the M that takes it from there (Q7)
   *   RUNNING   no,  yes, -     taken off its queue to be run; parked since, if its thread's JDK
   *                             state says so
   *   DEAD      no,  no,  no    its thread has ended
   *   (*) an M that ran it may still be on the way out of a run that is over for the JDK.
   * Moves: NEW -> STARTED and RUNNING -> RUNNABLE by ready; STARTED -> RUNNING and RUNNABLE ->
   * RUNNING by the M that took it from a queue; RUNNING -> DEAD by the first M that sees its thread
   * ended, if the thread did not record its end itself (finished).
   * What a user sees (waiting, and for what) is derived from status and the JDK state of the
   * thread: see GoroutineState.
   *
   * The status word also counts turns: how often the goroutine has become ready. A trace orders the
   * events of a goroutine by their turns.
   *
   * Ordering. The JDK suspends a thread to read its stack, and then submits its continuation again,
   * sometimes late. So a continuation may be submitted while it is queued, runs or waits, and a run
   * may do nothing.
   *   Submitter: 1. Write the thread's JDK state. 2. Read status; if it is RUNNABLE, drop the
   *   submission.
   *   M: 1. Write status (toRunning). 2. Read the JDK state.
   * At least one of the two must see the other's write, or the submission is lost. Three cases:
   *   a. The run does something. It exchanges the JDK state after the write of status; the exchange
   *      orders the two.
   *   b. The thread cannot continue when the M takes it (it is suspended, parked, or runs
   *      elsewhere). toRunning executes a full fence after the write, and the run that follows
   *      reads the JDK state.
   *   c. The thread could continue, and was suspended before the run began. Only this M can advance
   *      it, so afterRun either finds it still suspended, and executes the fence before it reads
   *      again, or finds that it can continue. Then the M queues the goroutine in the submitter's
   *      place. If both try, the compare-and-set of status lets only one of them do it.
   *
   * A run may also leave the thread able to continue without a submission (HeddleMount: a yield, or
   * a permit that came early). Then afterRun alone queues the goroutine; there is a fence between
   * the write of that JDK state and the reads in afterRun.
   *
   * Differences from Go: there is no Gwaiting to write, because the JDK parks a thread without
   * telling its executor. Dead Gs are not reused (G3): a virtual thread runs once, and users keep
   * the handle. Decision 3 has the figures.
   *
   * Checked by: GTest (moves), SubmissionTest, GStress (jcstress, with broken twins),
   * SchedulerStressTest.
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

  // The fields are few and small, because millions of goroutines may wait: with its fields a G
  // takes 64 bytes, one cache line.
  final Sched sched;
  final Thread thread;

  /**
   * The id of the goroutine that made this one, 0 if the maker was no goroutine of this scheduler.
   */
  private final long creator;

  /** The id of the goroutine: assigned when the goroutine is started, 0 before. */
  long id;

  /**
   * When the goroutine last ran, in Sysmon's coarse time. Written by the M that is about to run the
   * goroutine.
   */
  int lastRun;

  /** The chunk of {@link GoroutineList} that holds this goroutine; null before it is added. */
  @Nullable Object @Nullable [] home;

  /** The index of this goroutine in {@link #home}. */
  byte slot;

  /**
   * Whether this goroutine is locked to one M and may run on no other (G7); see {@link ThreadLock}.
   * Written by the goroutine, read by the M that takes it from a queue.
   */
  boolean locked;

  /**
   * Whether the thread of this goroutine has recorded the end of the goroutine by itself. Read by
   * Ms that have seen the thread ended.
   */
  private boolean finished;

  /**
   * Whether a submission of this goroutine ran out of stack, so that an M must repeat it: see
   * {@link #execute}.
   */
  private volatile boolean stranded;

  /** The pair (turn, state): how often the goroutine has become ready, and its state now. */
  private volatile int status;

  /** Makes a goroutine that will run {@link #run} in a thread of its own. */
  @SuppressWarnings("this-escape") // the thread is not started before the subclass is complete
  protected G(Sched sched, @Nullable String name, @Nullable G caller) {
    this.sched = sched;
    this.thread = VirtualThreads.newThread(this, name, this);
    this.creator = caller != null && caller.sched == sched ? caller.id : 0;
  }

  /** Makes a goroutine for a thread that exists already; its {@link #run} is never called. */
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
      if (status == NEW) { // read without a call, for which there may be no stack
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
  public @Nullable StackTraceElement site() {
    return null;
  }

  /**
   * Returns the last line of this goroutine's part of a dump; empty if its creation is not known.
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

  /** Whether an M runs this goroutine and is in a marked call. */
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
   * Returns why this goroutine waits, or null if only its stack would tell; empty if it does not
   * wait.
   */
  public final @Nullable String reasonWithoutStack() {
    return goroutineState() == GoroutineState.WAITING ? WaitReason.atAGlance(thread) : "";
  }

  /**
   * Returns for how many nanoseconds this goroutine has not run, with a precision of about a
   * millisecond.
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

  /** Claims the right to queue this goroutine; false if it is queued already or dead. */
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
   * thread only.
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
      VarHandle.fullFence(); // see Ordering
    }
    if (VirtualThreads.isRunnable(thread)) {
      sched.ready(this);
    } else if (VirtualThreads.isTerminated(thread) && !finished && toDead()) {
      sched.registry.recordEnd(this); // the thread has ended and has not recorded that
    }
  }

  /** Records the end of this goroutine. Called on its own thread, at the end of {@link #run}. */
  protected final void finished() {
    if (Thread.currentThread() == thread && !finished) {
      finished = true;
      sched.registry.recordEnd(this);
    }
  }

  /** Makes this goroutine ready if a submission of it ran out of stack; see {@link #execute}. */
  final void rescue() {
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
   * Returns how often this goroutine has become ready since its start, modulo 2 to the 29th. For
   * traces.
   */
  final int turn() {
    return status >>> TURN_SHIFT;
  }

  private boolean casStatus(int expected, int next) {
    return STATUS.compareAndSet(this, expected, next);
  }
}
