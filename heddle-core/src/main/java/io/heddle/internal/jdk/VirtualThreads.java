package io.heddle.internal.jdk;

import io.heddle.internal.base.ProcessStatus;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ThreadContainer;
import org.jspecify.annotations.Nullable;

/**
 * The operations on the JDK's virtual threads that a scheduler needs and the JDK does not offer in
 * its public API.
 *
 * <p>These operations need {@code --add-opens java.base/java.lang}, or the agent, which has the
 * same effect. If java.lang is not open, {@link #ensureOpen} throws with a message that says so.
 * The other methods must not be called before {@code ensureOpen} has returned or {@link #isOpen}
 * has answered true. Exceptions are {@link #failure}, {@link #parallelismOfTheJdk}, {@link
 * #osYield}, {@link #isPolling} and {@link #isOfTheJdk}.
 */
public final class VirtualThreads {
  /*
   * All handles, types and offsets are static final, so that the compilers treat them as constants:
   * a cast to TYPE is one comparison. VirtualThreadHandles finds them.
   *
   * From a task to its thread. Each time a virtual thread becomes runnable, it submits the same
   * Runnable, a lambda that captures the thread. threadOf() reads the captured field. Threads made
   * before and after ClockPatch changes VirtualThread have lambdas of different classes. If the
   * class is not CONTINUATION_TYPE, threadOf() looks the field up at each call.
   *
   * Adoption. A thread that a goroutine makes with plain JDK calls inherits its parent's executor.
   * adopt() writes another executor into the final field, before the thread first runs; with
   * Unsafe, because the JDK warns of reflection that writes a final field (JEP 500). Before the
   * first run only the thread that starts the new thread has read the field, and the run queue
   * orders the write before the first run.
   *
   * Checked by: VirtualThreadsTest, ParkingTest. VirtualThreadHandles.probe and StateWord.verify
   * refuse a JDK with other internals (UnknownJdkTest).
   */
  private static final VirtualThreadHandles HANDLES = VirtualThreadHandles.find();

  private static final @Nullable String FAILURE = HANDLES.failure;
  private static final MethodHandle NEW_THREAD = HANDLES.newThread;
  private static final MethodHandle CARRIER = HANDLES.carrier;
  private static final MethodHandle OS_YIELD = HANDLES.osYield;
  private static final Class<?> CONTINUATION_TYPE = HANDLES.continuationType;
  private static final Class<?> TYPE = HANDLES.type;
  private static final long STATE_OFFSET = HANDLES.stateOffset;
  private static final long CONTINUATION_OFFSET = HANDLES.continuationOffset;
  private static final long EXECUTOR_OFFSET = HANDLES.executorOffset;
  private static final long THREAD_OFFSET = HANDLES.threadOffset;
  private static final MethodHandle SET_CONTAINER = HANDLES.setContainer;
  private static final boolean OPEN = FAILURE == null;
  private static final boolean WRITES_STATES = HANDLES.writesStates;

  private VirtualThreads() {}

  /** Returns why this class cannot be used, in one sentence for the user; null if it can be. */
  public static @Nullable String failure() {
    return FAILURE;
  }

  /** Whether this class can be used; if not, {@link #ensureOpen} says why. */
  public static boolean isOpen() {
    return OPEN;
  }

  /**
   * Checks that goroutines can run in this JVM.
   *
   * @throws IllegalStateException if java.lang is not open, or this is a JDK with other internals;
   *     the message says what to do
   * @throws IllegalArgumentException if the setting {@code heddle.mount} cannot be honoured
   */
  public static void ensureOpen() {
    if (FAILURE != null) {
      ProcessStatus.put("failure", FAILURE);
      throw new IllegalStateException(FAILURE);
    }
    JdkRelease.warnIfUnknown();
    MounterChoice.ensureValid();
    if (!SocketPollPatch.isOpen() && !Pollers.mayBeStartedByGoroutine()) {
      Pollers.start();
    }
  }

  /**
   * The number of carriers of the JDK's own scheduler, without the carriers that it adds
   * temporarily. Can be called even if this class is not {@linkplain #isOpen open}.
   */
  public static int parallelismOfTheJdk() {
    Integer set = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
    return set == null ? Runtime.getRuntime().availableProcessors() : set;
  }

  /**
   * Makes an unstarted virtual thread that asks {@code executor} to run it whenever it is runnable.
   */
  public static Thread newThread(Executor executor, @Nullable String name, Runnable task) {
    try {
      return (Thread) NEW_THREAD.invokeExact(executor, name, 0, task);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The pool of the JDK's own scheduler. */
  static ForkJoinPool defaultPool() {
    return HANDLES.defaultPool;
  }

  /**
   * Makes a container called {@code name}, and registers it with the JDK's thread dumps. A dump
   * lists a thread under that name if {@code threads} supplies the thread, and the thread was
   * {@linkplain #setStarted started} in this container.
   */
  public static Object newContainer(String name, Supplier<Stream<Thread>> threads) {
    return new DumpContainer(name, threads);
  }

  /** Removes {@code container} from thread dumps. */
  public static void deregister(Object container) {
    ((DumpContainer) container).deregister();
  }

  /**
   * Whether {@link #setStarted}, {@link #tryUnpark} and {@link #unblock} may write the states of
   * threads: not on a JDK that is unknown or has other internals, which may give them another
   * meaning.
   */
  public static boolean writesStates() {
    return WRITES_STATES;
  }

  /**
   * Puts {@code thread} into {@code container} and marks it as started, as {@link Thread#start}
   * does. Unlike {@code start} it does not ask the executor to run the thread: the caller must do
   * that. No other thread may refer to {@code thread} yet. Must not be called unless {@link
   * #writesStates}.
   */
  public static void setStarted(Thread thread, Object container) {
    try {
      SET_CONTAINER.invokeExact(thread, (ThreadContainer) container);
    } catch (Throwable t) {
      throw rethrow(t);
    }
    Unsafe.getUnsafe().putIntRelease(TYPE.cast(thread), STATE_OFFSET, StateWord.STARTED);
  }

  /** The platform thread of the caller: the current thread, or its carrier if it is virtual. */
  public static Thread carrier() {
    try {
      return (Thread) CARRIER.invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * Keeps the current thread mounted, even if it blocks, until {@link #unpin}. Used by a caller
   * that holds something that its carrier needs, such as a lock.
   *
   * @return whether the caller must call {@code unpin}: false on a platform thread, which has no
   *     carrier
   */
  public static boolean pin() {
    if (!Thread.currentThread().isVirtual()) {
      return false;
    }
    Continuation.pin();
    return true;
  }

  /** Ends the effect of a {@link #pin} that returned true. */
  public static void unpin() {
    Continuation.unpin();
  }

  /**
   * Lets the operating system run another thread, even if the caller is a virtual thread. If Heddle
   * is not {@linkplain #isOpen open}, a virtual thread only spins. It must not leave its carrier,
   * because it may hold a lock.
   */
  public static void osYield() {
    if (!OPEN) {
      if (Thread.currentThread().isVirtual()) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
      return;
    }
    try {
      OS_YIELD.invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The task that {@code thread} submits to its executor: the same object each time. */
  public static Runnable continuation(Thread thread) {
    return (Runnable) Unsafe.getUnsafe().getReference(TYPE.cast(thread), CONTINUATION_OFFSET);
  }

  /** The virtual thread whose {@linkplain #continuation continuation} this is. */
  public static Thread threadOf(Runnable continuation) {
    long offset =
        continuation.getClass() == CONTINUATION_TYPE
            ? THREAD_OFFSET
            : VirtualThreadHandles.threadOffset(continuation);
    return (Thread) Unsafe.getUnsafe().getReference(continuation, offset);
  }

  /** The executor to which {@code thread}, which is virtual, submits its continuation. */
  public static Executor executorOf(Thread thread) {
    return (Executor) Unsafe.getUnsafe().getReference(TYPE.cast(thread), EXECUTOR_OFFSET);
  }

  /**
   * Whether {@code thread} is virtual and has another scheduler than the JDK's. Virtual threads
   * that {@code thread} makes inherit that scheduler.
   */
  public static boolean hasOwnScheduler(Thread thread) {
    return thread.isVirtual() && executorOf(thread) != HANDLES.defaultPool;
  }

  /** Gives {@code thread}, which has not run yet, another executor. */
  public static void adopt(Thread thread, Executor executor) {
    Unsafe.getUnsafe().putReference(TYPE.cast(thread), EXECUTOR_OFFSET, executor);
  }

  /**
   * Runs {@code thread}, which has not run yet, on the JDK's own scheduler instead of the one that
   * it inherited.
   *
   * @param continuation what the thread has submitted to that scheduler
   */
  public static void runByTheJdk(Thread thread, Runnable continuation) {
    adopt(thread, HANDLES.defaultPool);
    HANDLES.defaultPool.execute(continuation);
  }

  /** What {@code thread} is doing. */
  public static ThreadState phase(Thread thread) {
    return ThreadState.of(state(thread));
  }

  /** Whether {@code thread} has ended. Once true, it stays true. */
  public static boolean isTerminated(Thread thread) {
    return state(thread) == StateWord.TERMINATED;
  }

  /**
   * Whether a run would continue {@code thread} now: it was started, unparked or unblocked, or
   * yielded, and is not suspended.
   */
  public static boolean isRunnable(Thread thread) {
    return StateWord.isRunnable(state(thread));
  }

  /**
   * Whether {@code thread} is unmounted and parked, blocked or waiting, and not {@linkplain
   * #isSuspended suspended}.
   */
  public static boolean isParked(Thread thread) {
    return StateWord.isWaiting(state(thread));
  }

  /**
   * Whether {@code thread} is held unmounted for a moment, while another thread reads its stack.
   */
  public static boolean isSuspended(Thread thread) {
    return StateWord.isSuspended(state(thread));
  }

  /** Whether {@code thread} has unmounted by {@link Thread#yield} and has not been run since. */
  public static boolean hasYielded(Thread thread) {
    return StateWord.withoutSuspended(state(thread)) == StateWord.YIELDED;
  }

  /** Whether {@code thread} has unmounted at a monitor: at its entry, or to wait for a notify. */
  public static boolean isAtMonitor(Thread thread) {
    return StateWord.isAtMonitor(state(thread));
  }

  /**
   * Whether {@code thread} has unmounted at the entry of a monitor, whether or not the JDK has
   * unblocked it since.
   */
  public static boolean isBlocked(Thread thread) {
    int state = StateWord.withoutSuspended(state(thread));
    return state == StateWord.BLOCKED || state == StateWord.UNBLOCKED;
  }

  /**
   * Whether {@code thread} has unmounted at the entry of a monitor, and the JDK has unblocked it to
   * try again.
   */
  public static boolean isUnblocked(Thread thread) {
    return StateWord.withoutSuspended(state(thread)) == StateWord.UNBLOCKED;
  }

  /**
   * Makes {@code thread} try to enter its monitor when it is run next. Does nothing if {@code
   * thread} is not blocked at a monitor. Must not be called unless {@link #writesStates}.
   */
  public static void unblock(Thread thread) {
    boolean _ = casState(thread, StateWord.BLOCKED, StateWord.UNBLOCKED);
  }

  /**
   * Moves {@code thread} from PARKED to UNPARKED, if it is parked, unmounted, and has no time
   * limit. The caller must then schedule it.
   *
   * @return false, without an effect, if {@code thread} is in another state, or if {@link
   *     #writesStates} is false. The caller must then use {@link LockSupport#unpark}, which leaves
   *     a permit.
   */
  public static boolean tryUnpark(Thread thread) {
    return WRITES_STATES && casState(thread, StateWord.PARKED, StateWord.UNPARKED);
  }

  /**
   * Whether the caller is the JDK's thread that unblocks virtual threads when their monitor becomes
   * free.
   */
  public static boolean isUnblocker() {
    return Thread.currentThread().getName().equals("VirtualThread-unblocker");
  }

  /** Whether {@code thread} is parked or waits for a notify, in either case with a time limit. */
  public static boolean isTimedWaiting(Thread thread) {
    return StateWord.isTimedWaiting(state(thread));
  }

  /**
   * Whether a thread with {@code frame} on its stack waits for a socket: the class of the frame is
   * the JDK's {@code Poller}.
   */
  public static boolean isPolling(StackTraceElement frame) {
    return frame.getClassName().equals(Pollers.POLLER);
  }

  /**
   * Whether {@code name} is the name of one of the JDK's own virtual threads: a socket poller,
   * which serves all other threads. From JDK 27 on, {@code -Djdk.pollerMode=3} adds a poller for
   * each carrier, and the name of that poller begins with the name of the carrier.
   */
  public static boolean isOfTheJdk(String name) {
    return name.startsWith("SubPoller-")
        || (name.endsWith("-Read-Poller")
            && (name.startsWith("ForkJoinPool-") || name.startsWith("heddle-")));
  }

  /** The JDK's state word of {@code thread}: see {@link StateWord}. */
  static int state(Thread thread) {
    return Unsafe.getUnsafe().getIntVolatile(TYPE.cast(thread), STATE_OFFSET);
  }

  private static boolean casState(Thread thread, int from, int to) {
    return Unsafe.getUnsafe().compareAndSetInt(TYPE.cast(thread), STATE_OFFSET, from, to);
  }

  /** Throws {@code t}, wrapped in an IllegalStateException if {@code t} is a checked exception. */
  static RuntimeException rethrow(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    if (t instanceof RuntimeException e) {
      throw e;
    }
    throw new IllegalStateException(t);
  }
}
