package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import jdk.internal.misc.CarrierThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.annotation.ChangesCurrentThread;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.JvmtiHideEvents;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Mounts, parks and yields virtual threads in the way of {@code VirtualThread} in JDK 25 to 28,
 * with three locked instructions per run where the JDK needs eight.
 *
 * <p>{@code io.heddle.internal.jdk.OwnMounter} uses this class, and defines it as a hidden class of
 * java.base, because the compilers honour {@code ChangesCurrentThread} only in java.base. All
 * states and fields that this class uses are the JDK's. Code that looks at a virtual thread from
 * outside, in Java or in the JVM, therefore sees what the JDK would show. One run of a thread may
 * be by this class, and its next run by the JDK.
 *
 * <p>An instance is the run loop ({@link #accept}), or the task of a hidden thread ({@link #run}).
 * Both are objects, so that other classes can call them without a method handle.
 *
 * <p>The file is long because a third of it is the table of its steps beside the steps of the JDK;
 * and it must be a single class to be defined in java.base.
 */
final class HeddleMount implements BiConsumer<Object, Object>, Runnable {
  /*
   * One run, step by step. "same" means the JDK's step, in the JDK's place. The last column names
   * the test that failed when the step was taken out of this class. "none" means that none of
   * MounterTest, SubmissionTest, ParkingTest, InterruptStormTest, JdkBlockingTest,
   * LeakDetectionTest and StackOverflowTest failed on x86 (JDK 25.0.3). OwnMountCheck compares the
   * code of the JDK with the code that this table was written from.
   *
   *   JDK step                     here                        fails without it
   *   ---------------------------  --------------------------  ---------------------------------
   *   run: CAS of the state to     same                        SpinTest (twin CLAIM_WITHOUT_CAS)
   *     RUNNING
   *   run: write false to the      only if it is true: a       none
   *     permit                       volatile write costs more
   *                                  than a read
   *   run: cancel the time limit   same                        SleepTest, eachSleepIsOneTimer-
   *                                                              ThatFired
   *   mount: tell the JVM          same (6)                    DebuggerViewTest (both tests)
   *   mount: write the carrier,    same                        MounterTest, anInterruptDuring-
   *     fence, read the interrupt                                AMountReachesTheCarrier
   *     status and pass it on
   *   Continuation: CAS mounted,   nothing (1)
   *     and write it back
   *   Continuation: link the       nothing (2)
   *     parent, pass yieldInfo on
   *   Continuation: set the cache  same                        none: a value that is not cached
   *     of scoped values, and                                    is looked up
   *     clear it in the end
   *   Continuation: keep that      same                        MounterTest, unmountDoesAllIts-
   *     cache                                                    Writes
   *   Continuation: write back     same, and a fence (5)       MounterTest, unmountDoesAllIts-
   *     the carrier's                                            Writes
   *     continuation, and the
   *     stack if it ended
   *   unmount: write null to the   write null, fence, look     MounterTest, anInterruptNever-
   *     carrier under                at the lock (3)             HitsTheNextGoroutine and
   *     interruptLock                                            aGoroutineThatOnlyYields-
   *                                                              IsAlwaysRunnable
   *   unmount: tell the JVM        same, but before the        DebuggerViewTest
   *                                  carrier's interrupt
   *                                  status is cleared (6)
   *   afterYield: end a blocking   same, for a park or yield   GoBlockingTest, blockingCallThat-
   *     call of the carrier                                      ParksContinuesOnAnotherThread
   *   afterYield: volatile write   release write before the    none
   *     of PARKED or YIELDED         fence of (3)
   *   afterYield: if there is a    CAS to UNPARKED, but no     InterruptStormTest and MounterTest
   *     permit, CAS and submit       submission (4)            (both hang)
   *   afterYield: submit a thread  nothing (4)
   *     that yielded
   *   afterYield for all other     the JDK's own methods
   *     states, and afterDone
   *   park: take the permit        read it only: a caller      none: the permit is seen after
   *                                  that finds one falls        PARKED too
   *                                  back to LockSupport
   *   park, yield: tell the JVM    same (6)                    DebuggerViewTest, suspended-
   *     before and after                                         GoroutineWaitsUntilItIsResumed
   *   yield, inside another        the JDK's own method        MounterTest, aGoroutineWaits-
   *     continuation                                             InsideAnotherContinuation
   *
   * Locked instructions in one run: 8 in the JDK (state 2, carrier 2, interruptLock 2, mounted 2).
   * Here 3: the CAS of the state, the write of the carrier, the fence.
   *
   * (1) The JDK uses mounted to detect that two threads run one continuation. Here the CAS of the
   * state has detected that before.
   *
   * (2) The parent is null, because an M runs in no continuation. yieldInfo is a request of a
   * nested continuation, and that continuation's own run handles it.
   *
   * (3) The carrier is released without the lock. In the JDK a thread that holds interruptLock and
   * has read the carrier may rely on one fact: the carrier runs the virtual thread until the lock
   * is free. The holder interrupts the carrier, for instance, or asks for its state. Here:
   *   Unmounting M:  1. Write null to the carrier. 2. Full fence. 3. Look whether the lock is
   *                  taken. 4. If it is, wait until it is free. 5. Clear the interrupt status of
   *                  the M.
   *   Lock holder:   1. Take the lock by a CAS. 2. Read the carrier. 3. Use it. 4. Unlock.
   * Either the holder reads null in its step 2. Or the M sees in step 3 that the lock is taken, and
   * does not continue before the holder is done. Meanwhile another M may run this thread, which is
   * safe, because the holder does not use that M.
   * On AArch64 the CAS of the lock only acquires, so the carrier may be read before the lock is
   * seen to be taken. interrupt() is exact nevertheless, because it writes a volatile field in
   * between. A thread that asks for the state or name of the carrier may get those of an old
   * carrier. An unpark of a pinned thread may wake a carrier for nothing.
   * An object's lock is free if the last two bits of its first word are 01, in each of the JVM's
   * locking modes.
   *
   * (4) There must be a fence between the write of PARKED and the read of the permit, because
   * unpark writes the permit and then reads the state. Here it is the fence of (3). Nothing is
   * submitted, because the scheduler checks after each run whether the thread is runnable
   * (G.afterRun).
   *
   * (5) C2 replaces Thread.setCurrentThread by code with two paths, for JFR. Where the paths meet,
   * C2 keeps only what was written to the JVM's own thread structure: plain writes to Java fields
   * that stand between the last fence or call and setCurrentThread are dropped (25.0.3). A store
   * fence directly before the call keeps them, and is no instruction on x86. The JDK has its
   * volatile write of mounted there; mount has the volatile write of the carrier. Without the
   * fence, compiled unmounts lost all writes of enter: the carrier kept its last thread reachable,
   * and each switch emptied the cache of scoped values. With -Xint, with C1 only, or with
   * -XX:DisableIntrinsic=_setCurrentThread nothing was lost.
   *
   * (6) Between the first and the second of two notifications the JVM regards the thread as in
   * transition: debuggers can neither suspend it nor read its stack. JDK 26 and later use the
   * notifications also without a debugger. They do not order memory accesses themselves. The caller
   * must make the writes of an unmount visible before its end. After the start of a mount it must
   * see the writes of a thread that has read the stack. Here an unmount has a store fence, no
   * instruction on x86, after the write of the carrier and before the second notification. A mount
   * has the volatile write of the carrier after the first notification. A debugger takes the top
   * two frames of an unmounted stack for those of the JDK's yield, and does not show them. They are
   * the two frames of the handle DO_YIELD.
   *
   * Two steps of the JDK must not be left out: the CAS of the state, because a submission may come
   * twice, and a thread may be suspended while its stack is read; and the fence between the write
   * of the carrier and the read of the interrupt status, because interrupt() writes the status and
   * then reads the carrier.
   *
   * Checked by: MounterTest, InterruptStormTest, ParkingTest, SubmissionTest, DebuggerViewTest, and
   * SpinTest (mount.pml). Provenance: see docs/decisions, number 23.
   */
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final long LOCK_BITS = 3;
  private static final long FREE = 1;

  private static final long STATE = U.objectFieldOffset(VirtualThread.class, "state");
  private static final long CARRIER = U.objectFieldOffset(VirtualThread.class, "carrierThread");
  private static final long CONTINUATION = U.objectFieldOffset(VirtualThread.class, "cont");
  private static final long PARK_PERMIT = U.objectFieldOffset(VirtualThread.class, "parkPermit");
  private static final long BLOCK_PERMIT = U.objectFieldOffset(VirtualThread.class, "blockPermit");
  private static final long TIMEOUT = U.objectFieldOffset(VirtualThread.class, "timeoutTask");

  private static final long STACK = U.objectFieldOffset(Continuation.class, "tail");
  private static final long CACHE = U.objectFieldOffset(Continuation.class, "scopedValueCache");

  // How the JVM is told of a mount and an unmount: a method of VirtualThread and its argument.
  // HeddleMountLoader passes the method's name and the argument, because they depend on the JDK.
  private static final MethodHandle MOUNT_BEGINS;
  private static final MethodHandle MOUNT_ENDS;
  private static final MethodHandle UNMOUNT_BEGINS;
  private static final MethodHandle UNMOUNT_ENDS;
  private static final boolean MOUNT_BEGINS_FLAG;
  private static final boolean MOUNT_ENDS_FLAG;
  private static final boolean UNMOUNT_BEGINS_FLAG;
  private static final boolean UNMOUNT_ENDS_FLAG;

  private static final MethodHandle CANCEL_TIMEOUT;
  private static final MethodHandle AFTER_YIELD;
  private static final MethodHandle AFTER_DONE;
  private static final MethodHandle ENTER;
  private static final MethodHandle DO_YIELD;
  private static final MethodHandle YIELD_NESTED;
  private static final boolean KEEP_CACHE;

  // The JDK's numbers of the thread states, read from VirtualThread. They are not taken from
  // StateWord, because a class of java.base cannot see Heddle's classes.
  private static final int STARTED;
  private static final int RUNNING;
  private static final int PARKING;
  private static final int PARKED;
  private static final int UNPARKED;
  private static final int YIELDING;
  private static final int YIELDED;
  private static final int UNBLOCKED;

  static {
    try {
      MethodHandles.Lookup here = MethodHandles.lookup();
      MethodHandles.Lookup thread = MethodHandles.privateLookupIn(VirtualThread.class, here);
      MethodType plain = MethodType.methodType(void.class);
      List<?> transitions = MethodHandles.classData(here, "_", List.class);
      MOUNT_BEGINS = notification(thread, transitions.get(0));
      MOUNT_BEGINS_FLAG = (boolean) transitions.get(1);
      MOUNT_ENDS = notification(thread, transitions.get(2));
      MOUNT_ENDS_FLAG = (boolean) transitions.get(3);
      UNMOUNT_BEGINS = notification(thread, transitions.get(4));
      UNMOUNT_BEGINS_FLAG = (boolean) transitions.get(5);
      UNMOUNT_ENDS = notification(thread, transitions.get(6));
      UNMOUNT_ENDS_FLAG = (boolean) transitions.get(7);
      CANCEL_TIMEOUT = thread.findVirtual(VirtualThread.class, "cancelTimeoutTask", plain);
      AFTER_YIELD = thread.findVirtual(VirtualThread.class, "afterYield", plain);
      AFTER_DONE = thread.findVirtual(VirtualThread.class, "afterDone", plain);
      YIELD_NESTED =
          thread.findVirtual(
              VirtualThread.class, "yieldContinuation", MethodType.methodType(boolean.class));
      MethodHandles.Lookup continuation = MethodHandles.privateLookupIn(Continuation.class, here);
      ENTER =
          continuation.findStatic(
              Continuation.class,
              "enterSpecial",
              MethodType.methodType(void.class, Continuation.class, boolean.class, boolean.class));
      DO_YIELD =
          continuation.findStatic(Continuation.class, "doYield", MethodType.methodType(int.class));
      KEEP_CACHE =
          (boolean)
              continuation
                  .findStaticVarHandle(
                      Continuation.class, "PRESERVE_SCOPED_VALUE_CACHE", boolean.class)
                  .get();
      STARTED = number(thread, "STARTED");
      RUNNING = number(thread, "RUNNING");
      PARKING = number(thread, "PARKING");
      PARKED = number(thread, "PARKED");
      UNPARKED = number(thread, "UNPARKED");
      YIELDING = number(thread, "YIELDING");
      YIELDED = number(thread, "YIELDED");
      UNBLOCKED = number(thread, "UNBLOCKED");
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The hidden thread (see {@link #hide}) and its task; both are null in the run loop. */
  private final VirtualThread thread;

  private final Runnable task;

  private HeddleMount(VirtualThread thread, Runnable task) {
    this.thread = thread;
    this.task = task;
  }

  private static MethodHandle notification(MethodHandles.Lookup thread, Object name)
      throws ReflectiveOperationException {
    return thread.findVirtual(
        VirtualThread.class, (String) name, MethodType.methodType(void.class, boolean.class));
  }

  private static int number(MethodHandles.Lookup thread, String name)
      throws ReflectiveOperationException {
    return (int) thread.findStaticVarHandle(VirtualThread.class, name, int.class).get();
  }

  /** Returns the run loop. */
  static BiConsumer<Object, Object> runLoop() {
    return new HeddleMount(null, null);
  }

  /**
   * Makes {@code task} the task of {@code thread}, which has not been started, and hides the
   * thread: debuggers and flight recordings are not told of its start and end. The JDK tells them
   * in a task that it wraps around the task of each virtual thread. This method replaces that
   * wrapper.
   */
  static void hide(Thread thread, Runnable task) {
    VirtualThread hidden = (VirtualThread) thread;
    U.putReference(
        hidden,
        CONTINUATION,
        new Continuation(VirtualThread.continuationScope(), new HeddleMount(hidden, task)));
  }

  /** Ends the first mount of a hidden thread, runs its task, and begins its last unmount. */
  @Override
  @JvmtiHideEvents
  public void run() {
    try {
      MOUNT_ENDS.invokeExact(thread, MOUNT_ENDS_FLAG);
      try {
        task.run();
      } finally {
        UNMOUNT_BEGINS.invokeExact(thread, UNMOUNT_BEGINS_FLAG);
      }
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  /**
   * Runs {@code first}, a thread, until that thread unmounts, then passes it to {@code next}, a
   * {@code UnaryOperator<Thread>}, and runs the thread that {@code next} returns. The loop ends
   * when {@code next} returns null. A thread that is not runnable is passed to {@code next} without
   * a run.
   *
   * @throws WrongThreadException if the caller is a virtual thread
   */
  @Override
  @ChangesCurrentThread // so that the compilers may inline mount and unmount
  public void accept(Object first, Object next) {
    Thread carrier = Thread.currentCarrierThread();
    if (Thread.currentThread() != carrier) {
      throw new WrongThreadException();
    }
    UnaryOperator<Object> following = uncheckedCast(next);
    try {
      for (Object t = first; t != null; t = following.apply(t)) {
        VirtualThread thread = (VirtualThread) t;
        if (toRunning(thread)) {
          mount(thread, carrier);
          Continuation continuation = (Continuation) U.getReference(thread, CONTINUATION);
          try {
            enter(continuation, carrier);
          } finally {
            unmount(thread, carrier, continuation.isDone());
          }
        }
      }
    } catch (Throwable t) {
      throw unchecked(t);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T uncheckedCast(Object o) {
    return (T) o;
  }

  /**
   * Throws {@code t}. A checked exception would be wrapped in an IllegalStateException, but the
   * methods of the JDK that this class calls throw none.
   */
  private static RuntimeException unchecked(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    throw t instanceof RuntimeException e ? e : new IllegalStateException(t);
  }

  /**
   * Claims the right to run {@code thread}: changes its state to RUNNING. If the thread was
   * unparked or unblocked, then cancels its time limit and takes its permit. Returns false, without
   * an effect, if the thread is not runnable, or if another M has claimed that right.
   */
  private static boolean toRunning(VirtualThread thread) throws Throwable {
    int state = U.getIntVolatile(thread, STATE);
    if (state != UNPARKED && state != YIELDED && state != STARTED && state != UNBLOCKED) {
      return false;
    }
    if (!U.compareAndSetInt(thread, STATE, state, RUNNING)) {
      return false;
    }
    if (state == UNPARKED) {
      cancelTimeout(thread);
      if (U.getBooleanVolatile(thread, PARK_PERMIT)) {
        U.putBooleanVolatile(thread, PARK_PERMIT, false);
      }
    } else if (state == UNBLOCKED) {
      cancelTimeout(thread);
      U.putBooleanVolatile(thread, BLOCK_PERMIT, false);
    }
    return true;
  }

  private static void cancelTimeout(VirtualThread thread) throws Throwable {
    if (U.getReference(thread, TIMEOUT) != null) {
      CANCEL_TIMEOUT.invokeExact(thread);
    }
  }

  /** Makes {@code thread} the current thread: the steps "mount" of the table. */
  @ChangesCurrentThread
  @ReservedStackAccess
  private static void mount(VirtualThread thread, Thread carrier) throws Throwable {
    MOUNT_BEGINS.invokeExact(thread, MOUNT_BEGINS_FLAG);
    U.putReferenceVolatile(thread, CARRIER, carrier);
    if (thread.interrupted || carrier.interrupted) {
      passInterruptOn(thread, carrier);
    }
    carrier.setCurrentThread(thread); // note (5): no plain write may stand directly before
  }

  /** Gives {@code carrier} the interrupt status of {@code thread}. */
  private static void passInterruptOn(VirtualThread thread, Thread carrier) {
    synchronized (thread.interruptLock) { // interrupt() holds it while it sets both statuses
      if (thread.interrupted) {
        carrier.setInterrupt();
      } else {
        carrier.clearInterrupt();
      }
    }
  }

  /**
   * Runs {@code continuation} on {@code carrier} until it yields or ends: the steps "Continuation"
   * of the table.
   */
  private static void enter(Continuation continuation, Thread carrier) throws Throwable {
    Thread.setScopedValueCache((Object[]) U.getReference(continuation, CACHE));
    carrier.setContinuation(continuation);
    try {
      ENTER.invokeExact(continuation, U.getReference(continuation, STACK) != null, true);
    } finally {
      U.storeFence(); // as in the JDK: the compilers must move nothing across the switch
      carrier.setContinuation(null);
      if (continuation.isDone()) {
        U.putReference(continuation, STACK, null);
      }
      U.putReference(continuation, CACHE, KEEP_CACHE ? Thread.scopedValueCache() : null);
      Thread.setScopedValueCache(null);
    }
  }

  /**
   * Makes {@code carrier} the current thread again: the steps "unmount", "afterYield" and
   * "afterDone" of the table. Must be called after each {@link #enter}.
   */
  @ChangesCurrentThread
  @ReservedStackAccess
  private static void unmount(VirtualThread thread, Thread carrier, boolean isDone)
      throws Throwable {
    U.storeFence(); // or C2 drops the last writes of enter: note (5) at the head of this class
    carrier.setCurrentThread(carrier);
    U.putReferenceRelease(thread, CARRIER, null);
    U.storeFence(); // note (6)
    UNMOUNT_ENDS.invokeExact(thread, UNMOUNT_ENDS_FLAG);
    int state = U.getInt(thread, STATE);
    if (!isDone && (state == PARKING || state == YIELDING)) {
      if (carrier instanceof CarrierThread c) {
        c.endBlocking();
      }
      U.putIntRelease(thread, STATE, state == PARKING ? PARKED : YIELDED);
      leaveCarrier(thread, carrier);
      if (state == PARKING && U.getBooleanVolatile(thread, PARK_PERMIT)) {
        boolean _ = U.compareAndSetInt(thread, STATE, PARKED, UNPARKED);
      }
    } else {
      leaveCarrier(thread, carrier);
      if (isDone) {
        AFTER_DONE.invokeExact(thread);
      } else {
        AFTER_YIELD.invokeExact(thread);
      }
    }
  }

  /**
   * Waits until no other thread can still believe that {@code carrier}, on which the caller runs,
   * is the carrier of {@code thread}; then clears the interrupt status of {@code carrier}. See note
   * (3) at the head of this class.
   */
  private static void leaveCarrier(VirtualThread thread, Thread carrier) {
    U.fullFence();
    if ((U.getLongVolatile(thread.interruptLock, 0) & LOCK_BITS) != FREE) {
      awaitHolder(thread);
    }
    carrier.clearInterrupt();
  }

  private static void awaitHolder(VirtualThread thread) {
    synchronized (thread.interruptLock) {
    }
  }

  /**
   * Parks the current thread, which is {@code self}, unless it has a permit. Unlike {@code
   * LockSupport.park} this method never consumes the permit.
   *
   * @return whether the thread was parked; false, without an effect, if the thread has a permit, is
   *     interrupted, or cannot unmount
   * @throws OutOfMemoryError if there is no memory for the stack; the thread was not parked then
   */
  @JvmtiHideEvents
  static boolean park(Thread self) throws Throwable {
    VirtualThread thread = (VirtualThread) self;
    return !U.getBooleanVolatile(thread, PARK_PERMIT)
        && !thread.interrupted
        && leave(thread, PARKING);
  }

  /**
   * Yields the current thread, which is {@code self}. Returns false, without an effect, if the
   * thread cannot unmount.
   */
  @JvmtiHideEvents
  static boolean yield(Thread self) throws Throwable {
    return leave((VirtualThread) self, YIELDING);
  }

  /**
   * Writes {@code state}, PARKING or YIELDING, to {@code thread}, which is the current thread, and
   * unmounts it. Returns true when the thread is mounted again. If the thread cannot unmount,
   * returns false or throws. In each case the state is RUNNING again.
   */
  @JvmtiHideEvents
  private static boolean leave(VirtualThread thread, int state) throws Throwable {
    U.putIntRelease(thread, STATE, state);
    try {
      if (isInnermost(thread) ? unmountSelf(thread) : (boolean) YIELD_NESTED.invokeExact(thread)) {
        return true;
      }
    } catch (Throwable t) {
      U.putIntRelease(thread, STATE, RUNNING);
      throw t;
    }
    U.putIntRelease(thread, STATE, RUNNING);
    return false;
  }

  /** Whether the program runs no continuation of its own in {@code thread}. */
  private static boolean isInnermost(VirtualThread thread) {
    return Thread.currentCarrierThread().getContinuation() == U.getReference(thread, CONTINUATION);
  }

  /**
   * Unmounts the calling thread, in a frame of its own. Returns true when the thread continues, and
   * false if the thread cannot unmount.
   *
   * <p>When a thread continues, the JVM first restores the last two frames of its stack. The JVM
   * restores them fast only if both are compiled. The first frames of a young goroutine are
   * interpreted, so this method must not be inlined into one of them.
   */
  @DontInline
  @JvmtiHideEvents
  private static boolean unmountSelf(VirtualThread thread) throws Throwable {
    UNMOUNT_BEGINS.invokeExact(thread, UNMOUNT_BEGINS_FLAG);
    int pinned;
    try {
      pinned = (int) DO_YIELD.invokeExact();
      U.storeFence(); // as in the JDK: the compilers must move nothing across the switch
    } finally {
      MOUNT_ENDS.invokeExact(thread, MOUNT_ENDS_FLAG);
    }
    return pinned == 0;
  }
}
