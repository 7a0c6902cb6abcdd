package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.internal.vm.Continuation;
import org.jspecify.annotations.Nullable;

/**
 * The doors to the JDK's virtual threads that a scheduler of its own needs and the JDK does not offer in public.
 *
 * <p>All of them open with {@code --add-opens java.base/java.lang}, or with the agent, which does the same. {@link
 * #ensureOpen} says so in one sentence when they are shut; nothing else here may be called before it returned.
 */
public final class VirtualThreads {
  /*
   * Everything is a static final method handle, so that the compiler sees through it.
   *
   * A virtual thread gives its Executor the same Runnable each time, a lambda that captures the thread: that is how a
   * task that arrives is traced to its thread. A child that a goroutine makes with plain JDK calls inherits the
   * executor of its parent; adopt() gives it another one before it first runs, by writing the final field that holds
   * it. Nobody else has read that field by then but the thread that starts it, and the first run is ordered behind the
   * write by the run queue.
   *
   * The class of that lambda is another one for threads that were made before TimeDoor changed VirtualThread: the field of
   * those is looked up each time.
   *
   * A long file, since each door stands here three times: as what it is for, as a handle, and where that is found.
   *
   * Checked by: VirtualThreadsTest, ParkingTest; probe() and requireNumber() refuse a JDK whose internals differ.
   */
  private static final Doors DOORS = Doors.tryOpen();

  private static final @Nullable String SHUT = DOORS.failure;
  private static final MethodHandle NEW_THREAD = DOORS.newThread;
  private static final MethodHandle CARRIER = DOORS.carrier;
  private static final MethodHandle OS_YIELD = DOORS.osYield;
  private static final MethodHandle STATE = DOORS.state;
  private static final MethodHandle CONTINUATION = DOORS.continuation;
  private static final MethodHandle THREAD_OF = DOORS.threadOf;
  private static final Class<?> CONTINUATION_TYPE = DOORS.continuationType;
  private static final MethodHandle GET_EXECUTOR = DOORS.getExecutor;
  private static final MethodHandle SET_EXECUTOR = DOORS.setExecutor;
  private static final MethodHandle SET_STATE = DOORS.setState;
  private static final MethodHandle CAS_STATE = DOORS.casState;
  private static final MethodHandle SET_CONTAINER = DOORS.setContainer;
  private static final boolean OPEN = SHUT == null;

  private VirtualThreads() {}

  /** Whether virtual threads can be had; if not, {@link #ensureOpen} says why. */
  public static boolean isOpen() {
    return OPEN;
  }

  /** Fails, with one sentence that says what to do, unless the doors are open and lead where we expect. */
  public static void ensureOpen() {
    if (SHUT != null) {
      throw new IllegalStateException(SHUT);
    }
    Mounter.ensureChosen();
    if (!SocketPollPatch.isOpen()) {
      Pollers.start();
    }
  }

  /** A new, unstarted virtual thread that asks {@code executor} to run it whenever it can go on. */
  public static Thread newThread(Executor executor, @Nullable String name, Runnable task) {
    try {
      return (Thread) NEW_THREAD.invokeExact(executor, name, 0, task);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The pool of the JDK's own scheduler. */
  static ForkJoinPool defaultPool() {
    return DOORS.defaultPool;
  }

  /** What thread dumps show the threads in that are {@linkplain #setStarted started} with it, under its name. */
  public static Object newContainer(String name, Supplier<Stream<Thread>> threads) {
    return new DumpContainer(name, threads);
  }

  /** Thread dumps show it no more. */
  public static void deregister(Object container) {
    ((DumpContainer) container).deregister();
  }

  /**
   * Makes a virtual thread that nobody else knows yet a started one, in a container, as {@link Thread#start} does; but
   * its executor is not asked to run it: that is for the caller to do.
   */
  public static void setStarted(Thread thread, Object container) {
    try {
      SET_CONTAINER.invokeExact(thread, container);
      SET_STATE.invokeExact(thread, ThreadState.STARTED_STATE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The platform thread under the current thread: itself, or the one that carries it. */
  public static Thread carrier() {
    try {
      return (Thread) CARRIER.invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * Keeps the current thread on its carrier, also if it blocks, until {@link #unpin}: for who holds what a carrier needs.
   *
   * @return whether that is to be called: a platform thread has no carrier to leave
   */
  public static boolean pin() {
    if (!Thread.currentThread().isVirtual()) {
      return false;
    }
    Continuation.pin();
    return true;
  }

  public static void unpin() {
    Continuation.unpin();
  }

  /** Lets the operating system run another thread, also when called on a virtual one. */
  public static void osYield() {
    try {
      OS_YIELD.invokeExact();
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** What {@code thread} gives its executor each time. */
  public static Runnable continuation(Thread thread) {
    try {
      return (Runnable) CONTINUATION.invokeExact(thread);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** The virtual thread whose {@linkplain #continuation continuation} this is. */
  public static Thread threadOf(Runnable continuation) {
    try {
      if (continuation.getClass() != CONTINUATION_TYPE) {
        return (Thread) Doors.captured(continuation).get(continuation);
      }
      return (Thread) THREAD_OF.invokeExact(continuation);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Executor executorOf(Thread thread) {
    try {
      return (Executor) GET_EXECUTOR.invokeExact(thread);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Whether it is a virtual thread, and on another scheduler than the JDK's: those that it makes inherit that. */
  public static boolean hasOwnScheduler(Thread thread) {
    return thread.isVirtual() && executorOf(thread) != DOORS.defaultPool;
  }

  /** Gives {@code thread}, which has not run yet, another executor. */
  public static void adopt(Thread thread, Executor executor) {
    try {
      SET_EXECUTOR.invokeExact(thread, executor);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** What {@code thread} is doing. */
  public static ThreadState phase(Thread thread) {
    return ThreadState.of(state(thread));
  }

  /** Whether {@code thread} has ended. For ever true once it is. */
  public static boolean isTerminated(Thread thread) {
    return state(thread) == ThreadState.TERMINATED_STATE;
  }

  /** Whether {@code thread} has been or is about to be given to its executor, and would run now if asked to. */
  public static boolean isRunnable(Thread thread) {
    return ThreadState.canGoOn(state(thread));
  }

  /** Whether {@code thread} waits, off its carrier, and nobody holds it there to look at its stack. */
  public static boolean isParked(Thread thread) {
    return ThreadState.isAtRest(state(thread));
  }

  /** Whether somebody holds {@code thread} off its carrier for a moment, to look at its stack. */
  public static boolean isSuspended(Thread thread) {
    return (state(thread) & ThreadState.SUSPENDED) != 0;
  }

  /** Whether {@code thread} has just given up its carrier by {@link Thread#yield} and is to be queued again. */
  public static boolean hasYielded(Thread thread) {
    return (state(thread) & ~ThreadState.SUSPENDED) == ThreadState.YIELDED_STATE;
  }

  /** Whether {@code thread} has stopped at a monitor: at its entry, or to wait for a notify. */
  public static boolean isAtMonitor(Thread thread) {
    return ThreadState.isAtMonitor(state(thread) & ~ThreadState.SUSPENDED);
  }

  /** Whether {@code thread} has stopped at the entry of a monitor, and would try to enter it now if asked to. */
  public static boolean isBlocked(Thread thread) {
    int state = state(thread) & ~ThreadState.SUSPENDED;
    return state == ThreadState.BLOCKED_STATE || state == ThreadState.UNBLOCKED_STATE;
  }

  /** Whether {@code thread} has stopped at the entry of a monitor, and the JDK wants it to try to enter. */
  public static boolean isUnblocked(Thread thread) {
    return (state(thread) & ~ThreadState.SUSPENDED) == ThreadState.UNBLOCKED_STATE;
  }

  /** Has {@code thread}, which {@link #isBlocked}, try to enter when it is run next. */
  public static void unblock(Thread thread) {
    try {
      boolean _ =
          (boolean)
              CAS_STATE.invokeExact(thread, ThreadState.BLOCKED_STATE, ThreadState.UNBLOCKED_STATE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /**
   * Makes {@code thread}, if it is parked off its carrier for no limited time, one that would go on; it is for the caller
   * to see to it that it is run. False if it is not: {@link LockSupport#unpark} is for those, and leaves them a permit.
   */
  public static boolean tryUnpark(Thread thread) {
    try {
      return (boolean)
          CAS_STATE.invokeExact(thread, ThreadState.PARKED_STATE, ThreadState.UNPARKED_STATE);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Whether the caller is the JDK's thread that makes those runnable whose monitor has become free. */
  public static boolean isUnblocker() {
    return Thread.currentThread().getName().equals("VirtualThread-unblocker");
  }

  /** Whether {@code thread} waits for a limited time. */
  public static boolean isTimedWaiting(Thread thread) {
    return ThreadState.isInTime(state(thread) & ~ThreadState.SUSPENDED);
  }

  /** Whether a thread with {@code frame} on its stack waits for a socket. */
  public static boolean isPolling(StackTraceElement frame) {
    return frame.getClassName().equals(Pollers.POLLER);
  }

  /** Whether a virtual thread of that name is one of the JDK's own, that serve all others. */
  public static boolean isOfTheJdk(String name) {
    return name.startsWith("SubPoller-");
  }

  /** One that sees all of java.lang. */
  static MethodHandles.Lookup lookup() throws IllegalAccessException {
    return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
  }

  /** Runs what a thread gave its executor. */
  static MethodHandle runContinuation() {
    return DOORS.run;
  }

  private static int state(Thread thread) {
    try {
      return (int) STATE.invokeExact(thread);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  static RuntimeException rethrow(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    if (t instanceof RuntimeException e) {
      throw e;
    }
    throw new IllegalStateException(t);
  }

  /** The handles, found once; or why they cannot be had, with handles that are never called. */
  private static final class Doors {
    @Nullable String failure;

    @SuppressWarnings("NullAway.Init") // never asked for when the doors are shut
    ForkJoinPool defaultPool;

    MethodHandle newThread = never();
    MethodHandle carrier = never();
    MethodHandle osYield = never();
    MethodHandle state = never();
    MethodHandle continuation = never();
    MethodHandle threadOf = never();
    Class<?> continuationType = Runnable.class;
    MethodHandle getExecutor = never();
    MethodHandle setExecutor = never();
    MethodHandle setState = never();
    MethodHandle casState = never();
    MethodHandle setContainer = never();
    MethodHandle run = never();

    static Doors tryOpen() {
      Doors doors = new Doors();
      MethodHandles.Lookup lookup;
      try {
        lookup = lookup();
      } catch (IllegalAccessException e) {
        doors.failure = shutMessage();
        return doors;
      }
      try {
        doors.open(lookup);
        doors.probe();
      } catch (ReflectiveOperationException | RuntimeException e) {
        doors.failure =
            "Heddle does not know the virtual threads of this Java ("
                + Runtime.version()
                + "); it is made for JDK 25: "
                + e;
      }
      return doors;
    }

    private void open(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
      Class<?> type = lookup.findClass("java.lang.VirtualThread");
      newThread =
          lookup.findStatic(
              lookup.findClass("java.lang.ThreadBuilders"),
              "newVirtualThread",
              MethodType.methodType(
                  Thread.class, Executor.class, String.class, int.class, Runnable.class));
      carrier =
          lookup.findStatic(
              Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
      osYield = lookup.findStatic(Thread.class, "yield0", MethodType.methodType(void.class));
      MethodHandles.Lookup inside = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      VarHandle word = inside.findVarHandle(type, "state", int.class);
      state =
          word.toMethodHandle(VarHandle.AccessMode.GET_VOLATILE)
              .asType(MethodType.methodType(int.class, Thread.class));
      setState =
          word.toMethodHandle(VarHandle.AccessMode.SET_RELEASE)
              .asType(MethodType.methodType(void.class, Thread.class, int.class));
      casState =
          word.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET)
              .asType(MethodType.methodType(boolean.class, Thread.class, int.class, int.class));
      continuation =
          inside
              .findGetter(type, "runContinuation", Runnable.class)
              .asType(MethodType.methodType(Runnable.class, Thread.class));
      Field executor = type.getDeclaredField("scheduler");
      executor.setAccessible(true);
      getExecutor =
          lookup
              .unreflectGetter(executor)
              .asType(MethodType.methodType(Executor.class, Thread.class));
      setExecutor =
          lookup
              .unreflectSetter(executor)
              .asType(MethodType.methodType(void.class, Thread.class, Executor.class));
      threadOf = capturedThread(lookup);
      setContainer =
          lookup
              .findVirtual(
                  Thread.class,
                  "setThreadContainer",
                  MethodType.methodType(
                      void.class, Class.forName("jdk.internal.vm.ThreadContainer")))
              .asType(MethodType.methodType(void.class, Thread.class, Object.class));
      run =
          inside
              .findVirtual(type, "runContinuation", MethodType.methodType(void.class))
              .asType(MethodType.methodType(void.class, Thread.class));
      requireNumber(inside, type, "STARTED", ThreadState.STARTED_STATE);
      requireNumber(inside, type, "PARKED", ThreadState.PARKED_STATE);
      requireNumber(inside, type, "UNPARKED", ThreadState.UNPARKED_STATE);
      requireNumber(inside, type, "BLOCKED", ThreadState.BLOCKED_STATE);
      requireNumber(inside, type, "UNBLOCKED", ThreadState.UNBLOCKED_STATE);
      defaultPool =
          (ForkJoinPool)
              inside.findStaticVarHandle(type, "DEFAULT_SCHEDULER", ForkJoinPool.class).get();
      export(lookup, "jdk.internal.vm"); // for Container
      export(lookup, "jdk.internal.misc"); // for Carrier
    }

    /** With java.lang open, every other door of java.base can be opened from inside. */
    private static void export(MethodHandles.Lookup lookup, String name)
        throws ReflectiveOperationException {
      MethodHandle export =
          lookup.findVirtual(
              Module.class,
              "implAddExports",
              MethodType.methodType(void.class, String.class, Module.class));
      try {
        export.invokeExact(Object.class.getModule(), name, VirtualThreads.class.getModule());
      } catch (Throwable t) {
        throw rethrow(t);
      }
    }

    /** The one field of the lambda that a virtual thread gives its executor: the thread itself. */
    private MethodHandle capturedThread(MethodHandles.Lookup lookup)
        throws ReflectiveOperationException {
      Runnable sample = continuationOfSample(Runnable::run);
      continuationType = sample.getClass();
      return lookup
          .unreflectGetter(captured(sample))
          .asType(MethodType.methodType(Thread.class, Runnable.class));
    }

    static Field captured(Runnable continuation) {
      Field captured = continuation.getClass().getDeclaredFields()[0];
      captured.setAccessible(true);
      return captured;
    }

    private Runnable continuationOfSample(Executor executor) {
      try {
        Thread sample =
            (Thread) newThread.invokeExact(executor, (String) null, 0, (Runnable) () -> {});
        return (Runnable) continuation.invokeExact(sample);
      } catch (Throwable t) {
        throw rethrow(t);
      }
    }

    /**
     * Walks through each door that a thread which is not started can be led through, so that a JDK that differs is
     * refused at the start and not in mid-flight.
     */
    private void probe() {
      Executor first = Runnable::run;
      Executor second = Runnable::run;
      try {
        Runnable task = continuationOfSample(first);
        Thread thread = (Thread) threadOf.invokeExact(task);
        require((Runnable) continuation.invokeExact(thread) == task, "runContinuation");
        require((Executor) getExecutor.invokeExact(thread) == first, "scheduler");
        setExecutor.invokeExact(thread, second);
        require((Executor) getExecutor.invokeExact(thread) == second, "scheduler");
        require((int) state.invokeExact(thread) == ThreadState.NEW_STATE, "state");
      } catch (Throwable t) {
        throw rethrow(t);
      }
    }

    /** For the states that are exchanged from here. */
    private static void requireNumber(
        MethodHandles.Lookup inside, Class<?> type, String name, int expected)
        throws ReflectiveOperationException {
      require((int) inside.findStaticVarHandle(type, name, int.class).get() == expected, name);
    }

    private static void require(boolean holds, String field) {
      if (!holds) {
        throw new IllegalStateException("java.lang.VirtualThread." + field + " is not what it was");
      }
    }

    private static String shutMessage() {
      Module module = VirtualThreads.class.getModule();
      return "Heddle needs java.lang to be open: start Java with --add-opens java.base/java.lang="
          + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
          + " or with -javaagent:heddle.jar";
    }

    private static MethodHandle never() {
      return MethodHandles.empty(MethodType.methodType(void.class));
    }
  }
}
