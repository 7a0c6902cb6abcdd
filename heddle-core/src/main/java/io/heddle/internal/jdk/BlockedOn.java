package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
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
 * Finds the thread that a virtual thread waits for, where the JDK can tell.
 *
 * <p>This class reports waits that only one thread can end: for a {@link ReentrantLock}, for a
 * {@link ReentrantReadWriteLock} that is held for writing, for a monitor, and for the end of a
 * virtual thread; all without a time limit. An interrupt can end some of these waits too ({@code
 * lockInterruptibly}, {@code join}). Such waits are reported nevertheless, because a user wants to
 * know of threads that only an interrupt could free.
 *
 * <p>For every other wait the answer is null, because a wrong answer would be worse than none. An
 * answer was true at some moment during the call. The answers that make up a cycle are from
 * different moments: the cycle is a deadlock if none of its threads ran between the first question
 * and the last answer.
 */
public final class BlockedOn {
  /*
   * Locks. A lock names its owner. Only the two lock classes of the JDK are trusted, because they
   * let only the owner unlock. Another AbstractOwnableSynchronizer may name an owner and let any
   * thread release it. While a thread waits in a Condition, its blocker is the condition, until the
   * thread was signalled and is back in the queue of the lock.
   *
   * Joins. A joining thread parks on an object inside a latch that only the joined thread refers
   * to. The thread that refers to the latch is the joined thread. A latch of the user's is
   * therefore never mistaken for a join.
   *
   * Rejected: reading stack traces to find the method in which a thread waits. Stack traces are
   * slow to read, and the park blocker already tells what the thread waits for.
   *
   * Checked by: BlockedOnLockTest, BlockedOnMonitorTest, BlockedOnThreadTest, BlockedOnRacesTest.
   */
  private static final @Nullable Parks PARKS = Parks.tryOpen();

  private BlockedOn() {}

  /**
   * A wait that only one thread can end.
   *
   * @param holder the thread that must act before the waiter can continue; for a lock it may be a
   *     platform thread
   * @param what a text for the user: the lock as thread dumps name it, the monitor, or {@code
   *     Thread.join}
   */
  public record Wait(Thread holder, String what) {}

  /**
   * Returns the thread that {@code waiter} waits for; null if {@code waiter} does not wait, or if
   * more than one thread might wake it.
   *
   * @param others the threads among which the holders of monitors, and joined threads, are searched
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

  /** Whether {@code waiter} still waits at {@code blocker}, without a time limit. */
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

  /**
   * The handles with which the owner of a lock, or the thread to be joined, is found from a
   * blocker.
   */
  private record Parks(
      VarHandle owner, VarHandle termination, MethodHandle insideOf, Class<?> insideOfLatch) {
    static @Nullable Parks tryOpen() {
      try {
        Class<?> inside = Class.forName("java.util.concurrent.CountDownLatch$Sync");
        Class<?> virtual = Class.forName("java.lang.VirtualThread");
        return new Parks(
            JdkLookup.in(AbstractOwnableSynchronizer.class)
                .findVarHandle(
                    AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class),
            JdkLookup.in(virtual).findVarHandle(virtual, "termination", CountDownLatch.class),
            JdkLookup.in(CountDownLatch.class)
                .findGetter(CountDownLatch.class, "sync", inside)
                .asType(MethodType.methodType(Object.class, CountDownLatch.class)),
            inside);
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null; // on a JDK with other internals parked threads get no answer
      }
    }

    @Nullable Thread ownerOf(AbstractOwnableSynchronizer lock) {
      return (Thread)
          owner.getOpaque(lock); // the JDK writes the owner plainly: only the owner relies on it
    }

    boolean isLatch(Object blocker) {
      return blocker.getClass() == insideOfLatch;
    }

    /** The object on which threads that join {@code thread} park; null if none has joined it. */
    @Nullable Object endOf(Thread thread) {
      CountDownLatch latch = (CountDownLatch) termination.getVolatile(thread);
      try {
        return latch == null ? null : (Object) insideOf.invokeExact(latch);
      } catch (Throwable t) {
        throw VirtualThreads.rethrow(t);
      }
    }
  }
}
