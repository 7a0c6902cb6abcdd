package io.heddle.internal.sched;

import io.heddle.internal.jdk.VirtualThreads;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes a scheduler: waits for its goroutines, then ends its Ms.
 *
 * <p>A goroutine that becomes ready after the close still runs (for example, one that was made
 * before the close and is started later). An M is made for it and ends when there is nothing to do.
 */
public final class Shutdown {
  /*
   * States: open; begun (only living goroutines may start others); over (idle Ms end).
   *
   * Ordering. The counts of started and finished goroutines are written with release stores
   * (GoroutineRegistry), which another thread may not see at once.
   *   Closer: 1. Set begun. 2. Add itself to closers. 3. Read the counts; park if goroutines live.
   *   M or goroutine that records an end: 1. Count the end. 2. Read begun. 3. Full fence. 4. Read
   *   all counts; if no goroutine lives, unpark the closers.
   *   M that goes to sleep: 1. Enter the idle list or the keeper's field by compare-and-set. 2.
   *   Read begun. 3. Read all counts; if no goroutine lives, unpark the closers.
   * Of several recorders that see begun, the last to pass its fence reads the counts of all. A
   * recorder that counted an end just before begun was set may read begun as unset in its step 2.
   * Its M looks again when it goes to sleep, after a compare-and-set, which is a full fence. So at
   * least one thread sees all ends and unparks the closers.
   */
  private final Sched sched;
  private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean begun;
  private volatile boolean over;

  Shutdown(Sched sched) {
    this.sched = sched;
  }

  /** Whether {@code close} has been called. */
  public boolean hasBegun() {
    return begun;
  }

  public boolean isOver() {
    return over;
  }

  /** Whether the scheduler is over and no goroutine lives, not even one that was started later. */
  boolean isAllOver() {
    return over && sched.registry.living() == 0;
  }

  /** Begins the close: from now on threads outside the scheduler may start no goroutines. */
  public void begin() {
    begun = true;
  }

  /**
   * Waits for the goroutines, then ends the Ms.
   *
   * @param onInterrupt run each time the caller is interrupted while it waits for goroutines
   */
  public void close(Runnable onInterrupt) {
    begin();
    boolean interrupted = awaitGoroutines(onInterrupt);
    interrupted |= awaitEnd(sched.sysmon.end()); // before the Ms, because sysmon may start one
    List<M> ms = List.copyOf(sched.threads.all()); // before Ms end, because they leave the set then
    over = true;
    sched.deregister();
    sched.threads.releaseIdleMs();
    interrupted |= awaitEnds(ms);
    releaseResources();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the Ms at once and abandons the goroutines, which become garbage. For a driven scheduler.
   */
  public void abandon() {
    begin();
    over = true;
    sched.deregister();
    releaseResources();
  }

  /** Releases resources once, although several threads may close the scheduler several times. */
  private void releaseResources() {
    sched.listener.onClose(); // if this fails, the next close calls it again
    if (released.compareAndSet(false, true)) {
      sched.net.release();
    }
  }

  /** Unparks the closers if no goroutine lives. */
  void wakeClosersIfQuiet() {
    if (begun) {
      VarHandle.fullFence(); // orders counting an end before reading all counts: see Ordering
      wakeClosersIfQuietAfterFence();
    }
  }

  /**
   * Unparks the closers if no goroutine lives. The caller has executed a full fence: see Ordering.
   */
  void wakeClosersIfQuietAfterFence() {
    if (begun && sched.registry.living() == 0) {
      for (Thread closer : closers) {
        LockSupport.unpark(closer);
      }
    }
  }

  private boolean awaitGoroutines(Runnable onInterrupt) {
    boolean interrupted = false;
    Thread me = Thread.currentThread();
    closers.add(me);
    while (sched.registry.living() != 0) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        interrupted = true;
        onInterrupt.run();
      }
    }
    closers.remove(me);
    return interrupted;
  }

  /**
   * Waits for the end of {@code ms}, and of Ms that were being started for a goroutine that has
   * ended meanwhile: an M is listed before it is started.
   */
  private boolean awaitEnds(List<M> ms) {
    boolean interrupted = false;
    for (List<M> left = ms;
        !left.isEmpty() && isAllOver();
        left = List.copyOf(sched.threads.all())) {
      for (M m : left) {
        interrupted |= awaitEnd(m);
      }
      VirtualThreads.osYield(); // an M may be listed and not started yet
    }
    return interrupted;
  }

  private static boolean awaitEnd(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
