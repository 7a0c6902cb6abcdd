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
 * What {@code VirtualThread} of JDK 25 does to run, park and yield, with less than half of the locked instructions: three
 * for each run, where the JDK has eight.
 *
 * <p>{@code io.heddle.internal.jdk.Mounter} makes it a hidden class of the JDK's own: only there the compilers honour
 * {@code ChangesCurrentThread}. All states and fields are the JDK's, so that whoever looks at a virtual thread from outside,
 * in Java or in the JVM, sees what the JDK would show, but for the last two frames of a stack in a debugger; and each
 * thread may be run in either way at any time.
 */
final class HeddleMount {
  /*
   * What is left out, and why it may be:
   *
   * Continuation.mounted stays false. The JDK exchanges it to find out whether two threads run one continuation. Here the
   * exchange of the thread's state to RUNNING has found that out before. Its parent is null: an M runs in none. What a
   * nested one wants (yieldInfo) is for that one's own run.
   *
   * The carrier is taken back without the lock. The JDK holds interruptLock while it writes null, so that whoever holds
   * that lock, and has read the carrier, finds it carrying this thread until the lock is free: to interrupt it, or to ask
   * for its state. Here it is written first; behind a full fence comes a look whether the lock is taken, and only then is
   * it waited for. Who holds the lock has taken it by an exchange, and reads the carrier behind that. So either it reads
   * null, or the lock is seen to be taken. This thread's M does not go on before; the thread itself may be run on another
   * meanwhile, with which the holder has nothing to do. (On AArch64 that exchange only acquires, and the carrier may be
   * read before it is seen. Not so by interrupt, which writes a volatile field in between; a state or a name that is asked
   * for may be an old carrier's, and an unpark of who is pinned may wake one for nothing.)
   *
   * The same fence stands between PARKED and the look for a permit, as in the JDK: unpark leaves a permit, then reads the
   * state. Who finds one here exchanges the state, as the JDK does, but submits nothing: Heddle looks whether a thread can
   * go on behind each run, and so it does when the state is YIELDED.
   *
   * What is not left out: the exchange of the state, for a submission may come twice, and a thread be suspended to look at
   * its stack; and the fence between the carrier and the look whether the thread is interrupted, since interrupt writes
   * that and then reads the carrier.
   *
   * An object's lock is free if the last two bits of its first word are 01, in each of the JVM's ways to lock.
   *
   * Checked by: MountingTest, InterruptStormTest, ParkingTest, SubmissionTest.
   */
  private static final Unsafe U = Unsafe.getUnsafe();

  private static final int STARTED = 1;
  private static final int RUNNING = 2;
  private static final int PARKING = 3;
  private static final int PARKED = 4;
  private static final int UNPARKED = 9;
  private static final int YIELDING = 10;
  private static final int YIELDED = 11;
  private static final int UNBLOCKED = 14;

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
  private static final MethodHandle LEAVE;
  private static final MethodHandle LEAVE_NESTED;
  private static final boolean KEEP_CACHE;

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
      LEAVE_NESTED =
          thread.findVirtual(
              VirtualThread.class, "yieldContinuation", MethodType.methodType(boolean.class));
      MethodHandles.Lookup continuation = MethodHandles.privateLookupIn(Continuation.class, here);
      ENTER =
          continuation.findStatic(
              Continuation.class,
              "enterSpecial",
              MethodType.methodType(void.class, Continuation.class, boolean.class, boolean.class));
      LEAVE =
          continuation.findStatic(Continuation.class, "doYield", MethodType.methodType(int.class));
      KEEP_CACHE =
          (boolean)
              continuation
                  .findStaticVarHandle(
                      Continuation.class, "PRESERVE_SCOPED_VALUE_CACHE", boolean.class)
                  .get();
      requireNumber(thread, "STARTED", STARTED);
      requireNumber(thread, "RUNNING", RUNNING);
      requireNumber(thread, "PARKING", PARKING);
      requireNumber(thread, "PARKED", PARKED);
      requireNumber(thread, "UNPARKED", UNPARKED);
      requireNumber(thread, "YIELDING", YIELDING);
      requireNumber(thread, "YIELDED", YIELDED);
      requireNumber(thread, "UNBLOCKED", UNBLOCKED);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private HeddleMount() {}

  private static void requireNumber(MethodHandles.Lookup thread, String name, int number)
      throws ReflectiveOperationException {
    if ((int) thread.findStaticVarHandle(VirtualThread.class, name, int.class).get() != number) {
      throw new NoSuchFieldException(name + " is not " + number);
    }
  }

  /**
   * Runs {@code first} until it steps off, then the one that {@code next} makes of it, and so on until that is null. One
   * that cannot go on is not run.
   */
  @ChangesCurrentThread // so that mount and unmount are compiled into it
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
      U.storeFence(); // as in the JDK: the compiler is to move nothing across
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

  /** Behind this nobody takes {@code carrier}, whose own thread calls, for the one of {@code thread}. */
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

  /** As {@code park} of the current thread, but takes no permit; false, and nothing has happened, if it cannot step off. */
  @JvmtiHideEvents
  static boolean park(Thread self) throws Throwable {
    VirtualThread thread = (VirtualThread) self;
    return !U.getBooleanVolatile(thread, PARK_PERMIT)
        && !thread.interrupted
        && leave(thread, PARKING);
  }

  /** The current thread yields; false if it cannot step off. */
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
        left = leave(thread);
      } else {
        left = (boolean) LEAVE_NESTED.invokeExact(thread); // from a continuation inside
      }
    } finally {
      if (!left) {
        U.putIntRelease(thread, STATE, RUNNING);
      }
    }
    return left;
  }

  /**
   * In a frame of its own, as it mostly is in the JDK: the JVM takes the two last frames back from a stack that has interpreted
   * ones, and is slow if such a one is among them. The first frames of a goroutine are interpreted when it is young.
   */
  @DontInline
  @JvmtiHideEvents
  private static boolean leave(VirtualThread thread) throws Throwable {
    NOTIFY_UNMOUNT.invokeExact(thread, true);
    try {
      int pinned = (int) LEAVE.invokeExact();
      U.storeFence(); // as in the JDK
      return pinned == 0;
    } finally {
      NOTIFY_MOUNT.invokeExact(thread, false);
    }
  }
}
