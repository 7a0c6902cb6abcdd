package io.heddle.internal.inspect;

import io.heddle.internal.cgroup.ContainerLimits;
import io.heddle.internal.sched.Sched;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets schedulers follow the limits of the container while the program runs: the number of Ps
 * follows the CPUs, the limit on threads follows the memory and the limit on processes.
 */
public final class ContainerFollower {
  /*
   * A daemon thread reads the limits every POLL_NANOS. It runs only while a scheduler follows, and
   * changes a scheduler only if the limits have changed. It is not the monitor, because that must
   * not wait for files.
   *
   * Start and end of the thread. All steps hold the lock of the class:
   *   A thread that makes a scheduler adds it to the follower that runs, or to a new one, whose
   *   thread it starts.
   *   The thread, after each pause, removes the schedulers that have ended or follow no more. If
   *   none is left, it withdraws the follower and ends.
   *
   * Checked by: ContainerFollowerTest, ContainerTest.
   */

  /** The pause between two looks at the limits. A look takes some hundred microseconds. */
  private static final long POLL_NANOS = 5_000_000_000L;

  /** The follower whose thread runs; null if there is none. Guarded by this class. */
  private static @Nullable ContainerFollower current;

  private final Set<Sched> followers = ConcurrentHashMap.newKeySet();
  private final Supplier<ContainerLimits> limits;
  private final IntSupplier cpusOfJvm;
  private final long stackBytes;

  /**
   * Makes a follower that only acts in {@link #look}.
   *
   * @param limits reads the limits
   * @param cpusOfJvm returns how many CPUs the JVM reports
   * @param stackBytes how large the stack of an M may grow
   */
  ContainerFollower(Supplier<ContainerLimits> limits, IntSupplier cpusOfJvm, long stackBytes) {
    this.limits = limits;
    this.cpusOfJvm = cpusOfJvm;
    this.stackBytes = stackBytes;
  }

  /**
   * Lets {@code sched} follow the CPUs, until {@code Sched.procs(n)} is called or {@code sched} is
   * closed.
   *
   * @param threads whether its limit on threads follows, too, meanwhile
   * @param limits reads the limits; not used if a follower runs already
   * @param stackBytes how large the stack of an M may grow; not used if a follower runs already
   */
  public static void follow(
      Sched sched, boolean threads, Supplier<ContainerLimits> limits, long stackBytes) {
    synchronized (ContainerFollower.class) {
      if (current == null) {
        ContainerFollower made =
            new ContainerFollower(limits, Runtime.getRuntime()::availableProcessors, stackBytes);
        DaemonThreads.start("heddle-container", made::run);
        current = made;
      }
      current.add(sched, threads);
    }
  }

  void add(Sched sched, boolean threads) {
    sched.beginToFollow(threads);
    followers.add(sched);
  }

  private void run() {
    do {
      long end = System.nanoTime() + POLL_NANOS;
      for (long left = POLL_NANOS; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
        boolean _ = Thread.interrupted(); // otherwise the next park would return at once
      }
    } while (lookIfNeeded());
  }

  /** Looks, and returns true. Ends the follower and returns false if no scheduler follows. */
  private boolean lookIfNeeded() {
    synchronized (ContainerFollower.class) {
      if (!isNeeded()) {
        current = null;
        return false;
      }
    }
    try {
      look();
    } catch (Throwable t) {
      followers.forEach(sched -> sched.logLater("the limits of the container are not known", t));
    }
    return true;
  }

  /** Whether a scheduler follows. Forgets those that do not. */
  boolean isNeeded() {
    followers.removeIf(sched -> !sched.isFollowing() || sched.closing().isOver());
    return !followers.isEmpty();
  }

  /** Reads the limits once, and passes them on to the schedulers that follow. */
  void look() {
    ContainerLimits now = limits.get();
    int cpus = now.cpus(cpusOfJvm.getAsInt());
    int threads = now.threads(stackBytes);
    followers.forEach(sched -> sched.follow(cpus, threads));
  }
}
