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
import java.util.function.Predicate;
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
 * <p>For every other wait the answer is null, because a wrong answer would be worse than no answer.
 * An answer was true at some moment during the call. The answers that make up a cycle are from
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
   * Joins, up to JDK 26. A joining thread parks on an object inside a CountDownLatch. Only the
   * joined thread refers to that latch, so the latch identifies the joined thread. A latch of the
   * program is therefore never mistaken for a join.
   *
   * Joins, from JDK 27 on. A joining thread is in an Object.wait on the joined thread, called by
   * Thread.join. Any thread may notify the joining thread, but join then waits again. An
   * Object.wait that the program calls is never mistaken for a join, because UnmountedStack looks
   * for the frame of join.
   *
   * Rejected: reading stack traces to find the method in which a thread waits. Stack traces are
   * slow to read, and the park blocker already tells what the thread waits for.
   *
   * Checked by: BlockedOnLockTest, BlockedOnMonitorTest, BlockedOnThreadTest, BlockedOnRacesTest.
   */
  private static final @Nullable VarHandle LOCK_OWNER = LockOwner.tryFind();
  private static final @Nullable JoinLatch JOIN_LATCH = JoinLatch.tryOpen();

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

  /** Finds the thread that holds a monitor, and the thread whose end a latch announces. */
  interface Owners {
    /**
     * Returns the thread, other than {@code waiter}, that holds {@code monitor}; null if it is not
     * found.
     */
    @Nullable Thread holderOf(Object monitor, Thread waiter);

    /** Returns the thread whose end {@code latch} announces; null if it is not found. */
    @Nullable Thread endingAt(Object latch);

    /** Whether {@code thread} is one of the threads that are searched. */
    boolean contains(Thread thread);
  }

  /**
   * Returns the wait of {@code waiter}, if only one thread can end it: that thread, and what the
   * wait is for. Returns null for every other wait (see the class comment). Also returns null if
   * {@code waiter} does not wait, or is a platform thread.
   *
   * @param others the threads that are searched for the holder of a monitor or the joined thread;
   *     the result is null if the search does not find it
   */
  public static @Nullable Wait of(Thread waiter, Supplier<Stream<Thread>> others) {
    return of(waiter, new OwnerScan(others));
  }

  /** Returns what {@link #of(Thread, Supplier)} does, with the owners that {@code owners} knows. */
  static @Nullable Wait of(Thread waiter, Owners owners) {
    if (!waiter.isVirtual()) {
      return null;
    }
    return switch (VirtualThreads.phase(waiter)) {
      case PARKED, PINNED -> ofPark(waiter, owners);
      case OBJECT_WAIT -> ofWait(waiter, owners);
      case MONITOR_ENTER -> ofMonitor(waiter, owners);
      default -> null;
    };
  }

  /**
   * Whether {@link #of} may find a thread for which {@code waiter}, a virtual thread, waits. Reads
   * no stack.
   */
  public static boolean mayWaitForOne(Thread waiter) {
    return switch (VirtualThreads.phase(waiter)) {
      case PARKED, PINNED ->
          switch (LockSupport.getBlocker(waiter)) {
            case null -> false;
            case AbstractOwnableSynchronizer lock when isOwnersAlone(lock) -> true;
            case Object latch -> isLatch(latch);
          };
      case OBJECT_WAIT -> JdkRelease.current().joins() == JdkRelease.Joins.MONITOR;
      case MONITOR_ENTER -> true;
      default -> false;
    };
  }

  private static boolean isLatch(Object blocker) {
    return JOIN_LATCH != null && JOIN_LATCH.isLatch(blocker);
  }

  /**
   * Returns the object on which threads that join {@code thread} park; null if no thread has joined
   * it, or if joins in this JDK use no latch.
   */
  static @Nullable Object latchOf(Thread thread) {
    return JOIN_LATCH == null ? null : JOIN_LATCH.endOf(thread);
  }

  private static @Nullable Wait ofPark(Thread waiter, Owners owners) {
    Object blocker = LockSupport.getBlocker(waiter);
    Wait wait =
        switch (blocker) {
          case null -> null;
          case AbstractOwnableSynchronizer lock when isOwnersAlone(lock) -> ofLock(waiter, lock);
          case Object latch when isLatch(latch) -> ofJoin(owners.endingAt(latch));
          default -> null;
        };
    return wait != null && isParkedAt(blocker, waiter) ? wait : null;
  }

  private static @Nullable Wait ofWait(Thread waiter, Owners owners) {
    Thread joined = MonitorOwners.joinedBy(waiter);
    return joined != null && joined.isAlive() && owners.contains(joined) ? ofJoin(joined) : null;
  }

  /**
   * Whether {@code waiter} still waits without a time limit, and still has the park blocker {@code
   * blocker}.
   */
  private static boolean isParkedAt(@Nullable Object blocker, Thread waiter) {
    return waiter.getState() == Thread.State.WAITING && LockSupport.getBlocker(waiter) == blocker;
  }

  private static boolean isOwnersAlone(AbstractOwnableSynchronizer lock) {
    Class<?> type = lock.getClass().getEnclosingClass();
    return type == ReentrantLock.class || type == ReentrantReadWriteLock.class;
  }

  private static @Nullable Wait ofLock(Thread waiter, AbstractOwnableSynchronizer lock) {
    if (LOCK_OWNER == null) {
      return null;
    }
    // Opaque, because the JDK writes this field without ordering: only the owner relies on it.
    Thread owner = (Thread) LOCK_OWNER.getOpaque(lock);
    return owner != null && owner != waiter && owner.isAlive()
        ? new Wait(owner, Objects.toIdentityString(lock))
        : null;
  }

  private static @Nullable Wait ofJoin(@Nullable Thread joined) {
    return joined == null ? null : new Wait(joined, "Thread.join");
  }

  private static @Nullable Wait ofMonitor(Thread waiter, Owners owners) {
    Object monitor = MonitorOwners.wantedBy(waiter);
    Thread holder = monitor == null ? null : owners.holderOf(monitor, waiter);
    return monitor == null || holder == null ? null : new Wait(holder, nameOf(monitor));
  }

  private static String nameOf(Object monitor) {
    return "monitor of "
        + (monitor instanceof Class<?> type ? type.toString() : Objects.toIdentityString(monitor));
  }

  /**
   * Reads all threads for each question. For a few questions this is cheaper than a {@link
   * WaitIndex}.
   */
  private record OwnerScan(Supplier<Stream<Thread>> threads) implements Owners {
    @Override
    public @Nullable Thread holderOf(Object monitor, Thread waiter) {
      return find(thread -> thread != waiter && MonitorOwners.isHeldBy(thread, monitor));
    }

    @Override
    public @Nullable Thread endingAt(Object latch) {
      return find(thread -> thread.isVirtual() && latchOf(thread) == latch);
    }

    @Override
    public boolean contains(Thread joined) {
      return find(thread -> thread == joined) != null;
    }

    private @Nullable Thread find(Predicate<Thread> wanted) {
      try (Stream<Thread> all = threads.get()) {
        return all.filter(wanted).findFirst().orElse(null);
      }
    }
  }

  /** The field that names the owner of a lock. */
  private static final class LockOwner {
    static @Nullable VarHandle tryFind() {
      if (!JdkRelease.current().has(JdkFeature.LOCK_OWNERS)) {
        return null;
      }
      try {
        return JdkLookup.in(AbstractOwnableSynchronizer.class)
            .findVarHandle(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class);
      } catch (ReflectiveOperationException | RuntimeException e) {
        OffNotices.add(JdkFeature.LOCK_OWNERS, e);
        return null;
      }
    }
  }

  /** The handles that read the latch of a thread on which joining threads park, up to JDK 26. */
  private record JoinLatch(VarHandle termination, MethodHandle insideOf, Class<?> insideOfLatch) {
    static @Nullable JoinLatch tryOpen() {
      if (JdkRelease.current().joins() != JdkRelease.Joins.LATCH) {
        return null;
      }
      try {
        Class<?> inside = Class.forName("java.util.concurrent.CountDownLatch$Sync");
        Class<?> virtual = Class.forName("java.lang.VirtualThread");
        return new JoinLatch(
            JdkLookup.in(virtual).findVarHandle(virtual, "termination", CountDownLatch.class),
            JdkLookup.in(CountDownLatch.class)
                .findGetter(CountDownLatch.class, "sync", inside)
                .asType(MethodType.methodType(Object.class, CountDownLatch.class)),
            inside);
      } catch (ReflectiveOperationException | RuntimeException e) {
        OffNotices.add(JdkFeature.JOINS, e);
        return null;
      }
    }

    boolean isLatch(Object blocker) {
      return blocker.getClass() == insideOfLatch;
    }

    /** Returns the object on which threads that join {@code thread} park; null if none joined. */
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
