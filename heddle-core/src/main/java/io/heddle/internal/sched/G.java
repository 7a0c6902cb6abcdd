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
 * A goroutine: a virtual thread, and the executor that only this thread has.
 *
 * <p>The JDK asks a virtual thread's executor to run its continuation each time the thread can go on, so {@link
 * #execute} <em>is</em> {@code ready(g)}. It loses nothing for want of memory or stack, never parks, and may be called by
 * any thread.
 */
public abstract class G extends QueueNode<G> implements Executor, Runnable {
  /*
   * States (status). For each: is it on a run queue? may an M be running its continuation? can it go on by itself?
   *   NEW       no,  no,  no    made, not started
   *   STARTED   yes, no,  yes   like RUNNABLE, for the first time
   *   RUNNABLE  yes, no*, yes   exactly one queue, or the hand of the M that takes it from there, holds it (Q7)
   *   RUNNING   no,  yes, -     taken off the queue to be run; parked since then, if the JDK's thread says so
   *   DEAD      no,  no,  no    its thread has ended
   *   (*) an M that ran it may still be on the way out of a run that is over for the JDK.
   * Moves: NEW -> STARTED and RUNNING -> RUNNABLE by ready; STARTED -> RUNNING and RUNNABLE -> RUNNING by the M that took
   * it; RUNNING -> DEAD by the first M to see that a thread has ended which did not say so itself (finished).
   * What a user is told (waiting, and why) is derived from status and the phase of the thread: see GoroutineState.
   *
   * The status word also counts turns: how often it has become ready. Traces put its events in order by that.
   *
   * Ordering: a continuation may be submitted although it is queued, or while it runs or waits, and a run may do nothing
   * (the JDK suspends a thread to look at its stack, and submits it again, sometimes late). So the submitter writes the
   * thread's JDK state, then reads status and drops the submission if that is RUNNABLE; the M writes status, then reads
   * the JDK state. One of them must see the other's write, or the submission is lost.
   *   A run that does something exchanges the JDK state behind the write of status.
   *   A thread that cannot go on when the M has taken it (it is suspended, parked, or runs elsewhere): toRunning puts a
   *   full fence behind the write, and the run that follows looks at the JDK state.
   *   One that could, and was suspended before the run: nobody but this M can bring it further, so afterRun finds it
   *   suspended still, and puts the fence before another look, or finds that it can go on. Then the M does the
   *   submitter's work, and the exchange of status lets one of them do it.
   *
   * A run may also leave the thread able to go on without any submission (HeddleMount: a yield, a permit that came
   * early). Then afterRun alone queues it; there is a fence between that state and its looks.
   *
   * Differences from Go: there is no Gwaiting to write, since the JDK parks a thread without telling its executor; and
   * dead Gs are not reused (G3): a virtual thread runs once, and users keep the handle. Figures in docs/decisions.
   *
   * Checked by: GTest (moves), SubmissionTest, GStress (jcstress, with broken twins), SchedulerStressTest.
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

  // Fields are few and small, so that a goroutine of 64 bytes fits a cache line: millions may wait.
  final Sched sched;
  final Thread thread;

  /** The id of the goroutine that made this one, 0 if it was no goroutine of this scheduler. */
  private final long creator;

  /** Given at the start; 0 before. */
  long id;

  /** When it was last put on a P, in Sysmon's coarse time. Written by the M that is about to run it. */
  int lastRun;

  /** Where it is entered among the living: see GList. */
  @Nullable Object @Nullable [] home;

  byte slot;

  /** May run on one M alone (G7): the one that says so. Written by itself, read by who takes it from a queue. */
  boolean locked;

  /** Written by its own thread before that ends, read by Ms that have seen it ended. */
  private boolean finished;

  /** A submission ran out of stack: see execute. */
  private volatile boolean stranded;

  /** (turn, state). */
  private volatile int status;

  /** A goroutine that will run {@link #run} in a thread of its own. */
  @SuppressWarnings("this-escape") // the thread is not started before the subclass is complete
  protected G(Sched sched, @Nullable String name, @Nullable G caller) {
    this.sched = sched;
    this.thread = VirtualThreads.newThread(this, name, this);
    this.creator = caller != null && caller.sched == sched ? caller.id : 0;
  }

  /** A goroutine for a thread that somebody else made; its {@link #run} is never called. */
  protected G(Sched sched, Thread thread) {
    this.sched = sched;
    this.thread = thread;
    this.creator = sched.currentId();
  }

  /** Called by the JDK when the thread can go on, or when a child with no executor of its own can start. */
  @Override
  public final void execute(Runnable task) {
    try {
      if (!(Thread.currentThread() instanceof M)) {
        StackHeadroom.ensure();
      }
    } catch (StackOverflowError e) {
      if (status == NEW) { // no call: see below
        throw e; // a start: the JDK undoes it and tells the caller
      }
      // The caller has already made it runnable for the JDK. No call before this is noted, there
      // may be no room for one: the next M that comes by makes it ready. If it was the start of a
      // child instead, this one is made ready for nothing, which does no harm.
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

  /** An exception left the goroutine; its thread ends, its M and P go on (rule G5). */
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

  /** Where in the program it was started, if that is known. */
  public @Nullable StackTraceElement site() {
    return null;
  }

  /** The line that ends its part of a dump; empty if nothing is known. */
  public final String createdBy() {
    StackTraceElement site = site();
    if (site == null && creator == 0) {
      return "";
    }
    String where = site == null ? "a plain JDK call" : site.toString();
    return "created by " + where + (creator == 0 ? "" : " in goroutine " + creator) + "\n";
  }

  /** What it is doing, as one word of {@link GoroutineState}. */
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

  /** Whether the M that runs it, if one does, is in a call that is marked as blocking. */
  private boolean isInCall() {
    for (M m : sched.threads.all()) {
      if (m.call.isInside() && m.current() == this) {
        return true;
      }
    }
    return false;
  }

  /** Why it waits, in Go's words where Go has them; empty when it does not wait. */
  public final String reason() {
    return goroutineState() == GoroutineState.WAITING ? WaitReason.of(thread) : "";
  }

  /** Why it waits, or else its state, in one or a few words. */
  public final String doing() {
    GoroutineState state = goroutineState();
    String reason = state == GoroutineState.WAITING ? WaitReason.of(thread) : "";
    return reason.isEmpty() ? state.word() : reason;
  }

  /** The same if it can be told without a look at its stack; else null. */
  public final @Nullable String reasonWithoutStack() {
    return goroutineState() == GoroutineState.WAITING ? WaitReason.atAGlance(thread) : "";
  }

  /** For how long it has not been put on a P, in nanoseconds; to a millisecond or some. */
  public final long nanosSinceLastRun() {
    return Math.max(0, Sysmon.since(lastRun));
  }

  /** When it was last put on a P: another value means another wait. */
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

  /** Claims the right to queue it: false if it is queued already, or dead. */
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

  /** Only the thread that starts it knows it yet. */
  final void toStarted() {
    statusRelease(STARTED);
  }

  /** For the M that took it from a queue, and nobody else can. */
  final void toRunning() {
    if (!isRunnable()) {
      throw new IllegalStateException("goroutine " + id + " cannot run: it is " + goroutineState());
    }
    statusRelease((status & ~STATE_MASK) | RUNNING);
    if (!VirtualThreads.isRunnable(thread)) {
      VarHandle.fullFence(); // see Ordering
    }
  }

  /** For the M that ran it. */
  final void afterRun() {
    if (VirtualThreads.isParked(thread) || state() != RUNNING) {
      return; // waits, or is queued again already
    }
    if (VirtualThreads.isSuspended(thread)) {
      VarHandle.fullFence(); // see Ordering
    }
    if (VirtualThreads.isRunnable(thread)) {
      sched.ready(this);
    } else if (VirtualThreads.isTerminated(thread) && !finished && toDead()) {
      sched.books.recordEnd(this); // its thread has ended without a word
    }
  }

  /** At the end of its {@link #run}: it is one of the living no more. */
  protected final void finished() {
    if (Thread.currentThread() == thread && !finished) {
      finished = true;
      sched.books.recordEnd(this);
    }
  }

  /** Makes it ready if a submission ran out of stack. */
  final void rescue() {
    if (stranded) {
      stranded = false;
      sched.ready(this);
    }
  }

  /** Whether the run that brought it here was a yield, to be told from being made ready. */
  final boolean hasYielded() {
    return VirtualThreads.hasYielded(thread);
  }

  private void statusRelease(int next) {
    STATUS.setRelease(this, next);
  }

  /** What the JDK wants to be run: the same object each time. */
  final Runnable continuation() {
    return VirtualThreads.continuation(thread);
  }

  /** False if it is not RUNNING any more. */
  private boolean toDead() {
    int s = status;
    return (s & STATE_MASK) == RUNNING && casStatus(s, (s & ~STATE_MASK) | DEAD);
  }

  private int state() {
    return status & STATE_MASK;
  }

  /** How often it has become ready since its start, modulo 2 to the 29th: for traces. */
  final int turn() {
    return status >>> TURN_SHIFT;
  }

  private boolean casStatus(int expected, int next) {
    return STATUS.compareAndSet(this, expected, next);
  }
}
