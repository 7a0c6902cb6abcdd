package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * For whom a virtual thread waits, where the JDK can tell.
 *
 * <p>Told are the waits that only one thread can end: for a {@link ReentrantLock}, for a {@link ReentrantReadWriteLock}
 * that is held for writing, for a monitor, and for the end of a virtual thread; all without a time limit. An interrupt
 * can end some of these, too ({@code lockInterruptibly}, {@code join}); they are told nevertheless, since threads that
 * only an interrupt could free are what a user wants to hear of.
 *
 * <p>Of everything else nothing is said, rather than something that may be wrong. An answer was true for a moment during
 * the call. Several answers that make up a cycle are of different moments: it is a deadlock if none of its threads ran
 * between the first question and the last answer.
 */
public final class BlockedOn {
  /*
   * A lock names its owner. Only the two of the JDK are believed: they refuse to be unlocked by anybody else, while
   * another AbstractOwnableSynchronizer may name an owner and be released by all. In a Condition the blocker is the
   * condition, until the thread was signalled and is back in the queue of the lock.
   *
   * A join waits for a latch that the thread to be joined keeps for itself, and parks on an object inside that latch. So
   * it is found by looking which thread has it, and no user's latch is taken for one.
   *
   * Rejected: reading stack traces to find out in which method a thread waits. They are slow, and the blocker tells.
   *
   * Checked by: WaitsForLocksTest, WaitsForMonitorsTest, WaitsForThreadsTest, WaitsInMotionTest.
   */
  private static final @Nullable Parks PARKS = Parks.tryOpen();

  private BlockedOn() {}

  /**
   * For whom a thread waits.
   *
   * @param holder must act before the waiter can go on; any thread, for a lock
   * @param what for people: the lock as thread dumps name it, the monitor, or {@code Thread.join}
   */
  public record Wait(Thread holder, String what) {}

  /**
   * For whom {@code waiter} waits; null if it does not wait, or if anybody else could wake it as far as we know.
   *
   * @param others the threads among which holders of monitors, and threads to be joined, are looked for
   */
  public static @Nullable Wait of(Thread waiter, Supplier<Stream<Thread>> others) {
    if (!waiter.isVirtual()) {
      return null;
    }
    return switch (VirtualThreads.phase(waiter)) {
      case PARKED, PINNED -> PARKS == null ? null : ofPark(PARKS, waiter, others);
      case MONITOR_ENTER -> ofMonitor(waiter, others);
      default -> null;
    };
  }

  private static @Nullable Wait ofPark(
      Parks parks, Thread waiter, Supplier<Stream<Thread>> others) {
    Object blocker = LockSupport.getBlocker(waiter);
    Wait wait =
        switch (blocker) {
          case null -> null;
          case AbstractOwnableSynchronizer lock when isOwnersAlone(lock) ->
              ofLock(parks, waiter, lock);
          case Object latch when parks.isLatch(latch) -> ofJoin(parks, latch, others);
          default -> null;
        };
    return wait != null && isParkedAt(blocker, waiter) ? wait : null;
  }

  /** Without a time limit, and still. */
  private static boolean isParkedAt(@Nullable Object blocker, Thread waiter) {
    return waiter.getState() == Thread.State.WAITING && LockSupport.getBlocker(waiter) == blocker;
  }

  private static boolean isOwnersAlone(AbstractOwnableSynchronizer lock) {
    Class<?> type = lock.getClass().getEnclosingClass();
    return type == ReentrantLock.class || type == ReentrantReadWriteLock.class;
  }

  private static @Nullable Wait ofLock(
      Parks parks, Thread waiter, AbstractOwnableSynchronizer lock) {
    Thread owner = parks.ownerOf(lock);
    return owner != null && owner != waiter && owner.isAlive()
        ? new Wait(owner, Objects.toIdentityString(lock))
        : null;
  }

  private static @Nullable Wait ofJoin(Parks parks, Object latch, Supplier<Stream<Thread>> others) {
    try (Stream<Thread> threads = others.get()) {
      return threads
          .filter(thread -> thread.isVirtual() && parks.endOf(thread) == latch)
          .findFirst()
          .map(thread -> new Wait(thread, "Thread.join"))
          .orElse(null);
    }
  }

  private static @Nullable Wait ofMonitor(Thread waiter, Supplier<Stream<Thread>> others) {
    Object monitor = MonitorOwners.wantedBy(waiter);
    if (monitor == null) {
      return null;
    }
    try (Stream<Thread> threads = others.get()) {
      return threads
          .filter(thread -> thread != waiter && MonitorOwners.isHeldBy(thread, monitor))
          .findFirst()
          .map(thread -> new Wait(thread, nameOf(monitor)))
          .orElse(null);
    }
  }

  private static String nameOf(Object monitor) {
    return "monitor of "
        + (monitor instanceof Class<?> type ? type.toString() : Objects.toIdentityString(monitor));
  }

  /** The doors to what a parked thread waits for. */
  private record Parks(
      VarHandle owner, VarHandle termination, MethodHandle insideOf, Class<?> insideOfLatch) {
    static @Nullable Parks tryOpen() {
      try {
        Class<?> inside = Class.forName("java.util.concurrent.CountDownLatch$Sync");
        Class<?> virtual = Class.forName("java.lang.VirtualThread");
        return new Parks(
            lookupIn(AbstractOwnableSynchronizer.class)
                .findVarHandle(
                    AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class),
            lookupIn(virtual).findVarHandle(virtual, "termination", CountDownLatch.class),
            lookupIn(CountDownLatch.class)
                .findGetter(CountDownLatch.class, "sync", inside)
                .asType(MethodType.methodType(Object.class, CountDownLatch.class)),
            inside);
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null; // a JDK that differs: nothing is known
      }
    }

    @Nullable Thread ownerOf(AbstractOwnableSynchronizer lock) {
      return (Thread) owner.getOpaque(lock); // the JDK writes it plainly, and asks the owner alone
    }

    boolean isLatch(Object blocker) {
      return blocker.getClass() == insideOfLatch;
    }

    /** On what those park who join {@code thread}; null if nobody has. */
    @Nullable Object endOf(Thread thread) {
      CountDownLatch latch = (CountDownLatch) termination.getVolatile(thread);
      try {
        return latch == null ? null : (Object) insideOf.invokeExact(latch);
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }
  }

  /** A look from inside a class of java.base: with java.lang open, every package of it can be opened. */
  static MethodHandles.Lookup lookupIn(Class<?> type) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
    MethodHandle open =
        lookup.findVirtual(
            Module.class,
            "implAddOpens",
            MethodType.methodType(void.class, String.class, Module.class));
    try {
      open.invokeExact(type.getModule(), type.getPackageName(), BlockedOn.class.getModule());
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
  }
}
