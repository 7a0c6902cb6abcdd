package java.lang;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.UnaryOperator;
import jdk.internal.misc.CarrierThread;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.annotation.ChangesCurrentThread;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.JvmtiHideEvents;
import jdk.internal.vm.annotation.ReservedStackAccess;

/**
 * Mounts, parks and yields virtual threads as {@code VirtualThread} of JDK 25 does, with three
 * locked instructions per run where the JDK needs eight.
 *
 * <p>{@code io.heddle.internal.jdk.OwnMounter} uses this class, and defines it as a hidden class of
 * java.base, because the compilers honour {@code ChangesCurrentThread} only in java.base. All
 * states and fields that this class uses are the JDK's. Code that looks at a virtual thread from
 * outside, in Java or in the JVM, therefore sees what the JDK would show, except for the last two
 * frames of a stack in a debugger. Each thread may be run by this class or by the JDK at any time.
 */
final class HeddleMount {
  /*
   * One run, step by step. "same" means the JDK's step, in the JDK's place. The last column names
   * the test that failed when the step was taken out of this class. "none" means that none of
   * MounterTest, SubmissionTest, ParkingTest, InterruptStormTest, JdkBlockingTest,
   * LeakDetectionTest and StackOverflowTest failed on x86.
   *
   *   JDK step                     here                        fails without it
   *   ---------------------------  --------------------------  ---------------------------------
   *   run: CAS of the state to     same                        none (SubmissionTest aims at it,
   *     RUNNING                                                  but the race is narrow)
   *   run: write false to the      only if it is true: a       none
   *     permit                       volatile write costs more
   *                                  than a read
   *   mount: write the carrier,    same                        MounterTest, anInterruptDuring-
   *     fence, read the interrupt                                AMountReachesTheCarrier
   *     status and pass it on
   *   Continuation: CAS mounted,   nothing (1)
   *     and write it back
   *   Continuation: link the       nothing (2)
   *     parent, pass yieldInfo on
   *   unmount: write null to the   write null, fence, look     MounterTest, anInterruptNever-
   *     carrier under                at the lock (3)             HitsTheNextGoroutine and
   *     interruptLock                                            aGoroutineThatOnlyYields-
   *                                                              IsAlwaysRunnable
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
   * Either the holder reads null in its step 2, or the M sees in step 3 that the lock is taken, and
   * does not continue before the holder is done. Another M may run this thread meanwhile; the
   * holder has nothing to do with that M.
   * On AArch64 the CAS of the lock only acquires, so the carrier may be read before the lock is
   * seen to be taken. interrupt() is exact nevertheless, because it writes a volatile field in
   * between. A state or name that is asked for may be that of an old carrier, and an unpark of a
   * pinned thread may wake a carrier for nothing.
   * An object's lock is free if the last two bits of its first word are 01, in each of the JVM's
   * locking modes.
   *
   * (4) The fence of (3) is also the one that the JDK has between PARKED and the read of the
   * permit: unpark writes the permit and then reads the state. Nothing is submitted, because the
   * run loop checks after each run whether the thread is runnable (G.afterRun).
   *
   * Not left out: the CAS of the state, because a submission may come twice, and a thread may be
   * suspended while its stack is read; and the fence between the write of the carrier and the read
   * of the interrupt status, because interrupt() writes the status and then reads the carrier.
   *
   * Checked by: MounterTest, InterruptStormTest, ParkingTest, SubmissionTest. Provenance: see
   * docs/decisions, number 23.
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

  private static final MethodHandle NOTIFY_MOUNT;
  private static final MethodHandle NOTIFY_UNMOUNT;
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
      MethodType flagged = MethodType.methodType(void.class, boolean.class);
      NOTIFY_MOUNT = thread.findVirtual(VirtualThread.class, "notifyJvmtiMount", flagged);
      NOTIFY_UNMOUNT = thread.findVirtual(VirtualThread.class, "notifyJvmtiUnmount", flagged);
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

  private HeddleMount() {}

  private static int number(MethodHandles.Lookup thread, String name)
      throws ReflectiveOperationException {
    return (int) thread.findStaticVarHandle(VirtualThread.class, name, int.class).get();
  }

  /**
   * Runs {@code first} until that thread unmounts, then passes it to {@code next} and runs the
   * thread that {@code next} returns. The loop ends when {@code next} returns null. A thread that
   * is not runnable is skipped.
   *
   * @throws WrongThreadException if the caller is a virtual thread
   */
  @ChangesCurrentThread // so that the compilers may inline mount and unmount
  static void run(Thread first, UnaryOperator<Thread> next) throws Throwable {
    Thread carrier = Thread.currentCarrierThread();
    if (Thread.currentThread() != carrier) {
      throw new WrongThreadException();
    }
    for (Thread t = first; t != null; t = next.apply(t)) {
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
  }

  /**
   * Claims the right to run {@code thread}. Returns false if the thread is not runnable, or if
   * another M has claimed that right.
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

  @ChangesCurrentThread
  @ReservedStackAccess
  private static void mount(VirtualThread thread, Thread carrier) throws Throwable {
    NOTIFY_MOUNT.invokeExact(thread, true);
    U.putReferenceVolatile(thread, CARRIER, carrier);
    if (thread.interrupted || carrier.interrupted) {
      syncInterrupt(thread, carrier);
    }
    carrier.setCurrentThread(thread);
  }

  private static void syncInterrupt(VirtualThread thread, Thread carrier) {
    if (thread.interrupted) {
      carrier.setInterrupt();
      return;
    }
    synchronized (thread.interruptLock) {
      if (!thread.interrupted) {
        carrier.clearInterrupt();
      }
    }
  }

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

  @ChangesCurrentThread
  @ReservedStackAccess
  private static void unmount(VirtualThread thread, Thread carrier, boolean isDone)
      throws Throwable {
    carrier.setCurrentThread(carrier);
    U.putReferenceRelease(thread, CARRIER, null);
    NOTIFY_UNMOUNT.invokeExact(thread, false);
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
   * LockSupport.park} this method never takes the permit.
   *
   * @return whether the thread was parked; false, without an effect, if the thread has a permit, is
   *     interrupted, or cannot unmount
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

  @JvmtiHideEvents
  private static boolean leave(VirtualThread thread, int state) throws Throwable {
    U.putIntRelease(thread, STATE, state);
    boolean left = false;
    try {
      if (Thread.currentCarrierThread().getContinuation() == U.getReference(thread, CONTINUATION)) {
        left = unmountSelf(thread);
      } else {
        left =
            (boolean) YIELD_NESTED.invokeExact(thread); // a nested continuation of the program runs
      }
    } finally {
      if (!left) {
        U.putIntRelease(thread, STATE, RUNNING);
      }
    }
    return left;
  }

  /**
   * Unmounts the calling thread, in a frame of its own.
   *
   * <p>When a thread continues, the JVM first restores the last two frames of its stack. The JVM
   * restores them fast only if both are compiled. The first frames of a young goroutine are
   * interpreted, so this method must not be inlined into one of them.
   */
  @DontInline
  @JvmtiHideEvents
  private static boolean unmountSelf(VirtualThread thread) throws Throwable {
    NOTIFY_UNMOUNT.invokeExact(thread, true);
    try {
      int pinned = (int) DO_YIELD.invokeExact();
      U.storeFence(); // as in the JDK: the compilers must move nothing across the switch
      return pinned == 0;
    } finally {
      NOTIFY_MOUNT.invokeExact(thread, false);
    }
  }
}
