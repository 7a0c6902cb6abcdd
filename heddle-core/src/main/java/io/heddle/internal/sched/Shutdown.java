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
   * Ordering. "The counts" are those of started and of finished goroutines, one pair per M
   * (GoroutineRegistry). If their sums are equal, no goroutine lives. They are written with release
   * stores, which another thread may not see at once. A closer is a thread that closes the
   * scheduler and waits until no goroutine lives.
   *   Closer: 1. Set begun. 2. Add itself to closers. 3. Read the counts; park if goroutines live.
   *   Recorder, an M or goroutine that records the end of a goroutine: 1. Write the count of
   *   finished goroutines. 2. Read begun. 3. Full fence. 4. Read all counts; if no goroutine lives,
   *   unpark the closers.
   *   M that goes to sleep: 1. Enter the idle list, or become the timekeeper, by compare-and-set.
   *   2. Read begun. 3. Read all counts; if no goroutine lives, unpark the closers.
   *   Leak search, which counts a goroutine that was garbage collected as finished: 1. Write the
   *   count. 2. Full fence, because no M of this thread goes to sleep later. 3. As a recorder, from
   *   step 2.
   * Why no closer sleeps forever. Each of these threads passes a full fence after it has counted an
   * end: the recorder in its step 3 if it reads begun as set, and otherwise when its M goes to
   * sleep; the leak search in its step 2. The last of them to pass its fence sees the ends that all
   * of them have counted. After its fence it reads begun (again):
   *   (a) It reads begun as set. It reads the counts, and finds that no goroutine lives. A closer
   *   that has added itself to closers is unparked. A closer that adds itself later reads the
   *   counts after that, sees all ends, and does not park.
   *   (b) It reads begun as unset. Then all ends were visible before begun was set. So each closer
   *   sees them, and does not park.
   */
  private final Sched sched;
  private final Queue<Thread> closers = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean begun;
  private volatile boolean over;

  Shutdown(Sched sched) {
    this.sched = sched;
  }

  /** Whether the close has begun: threads outside the scheduler may start no goroutines. */
  public boolean hasBegun() {
    return begun;
  }

  /** Whether the close has got past its wait for goroutines, so that idle Ms end. */
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
   * Ends the Ms at once and abandons the goroutines, which become garbage. For a scheduler with a
   * {@link Driver}.
   */
  public void abandon() {
    begin();
    over = true;
    sched.deregister();
    releaseResources();
  }

  /** Releases the poller once, although several threads may close the scheduler several times. */
  private void releaseResources() {
    sched.listener.onClose(); // before the flag is set: if this throws, the next close repeats it
    if (released.compareAndSet(false, true)) {
      sched.net.release();
    }
  }

  /** Unparks the threads that wait in {@link #close} if no goroutine lives. */
  void wakeClosersIfQuiet() {
    if (begun) {
      // The write that counted the end of a goroutine must precede the reads of all counts: see
      // Ordering.
      VarHandle.fullFence();
      wakeClosersIfQuietAfterFence();
    }
  }

  /**
   * Like {@link #wakeClosersIfQuiet}, for a caller that has executed a full fence since it last
   * counted the end of a goroutine: see Ordering.
   */
  void wakeClosersIfQuietAfterFence() {
    if (begun && sched.registry.living() == 0) {
      for (Thread closer : closers) {
        LockSupport.unpark(closer);
      }
    }
  }

  /** Waits until no goroutine lives. Returns whether the caller was interrupted meanwhile. */
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
   * Waits for the end of {@code ms}, and of Ms that appear meanwhile: an M may be started for a
   * goroutine that ends before the M runs. Stops waiting if a goroutine was started after the
   * close. Returns whether the caller was interrupted.
   */
  private boolean awaitEnds(List<M> ms) {
    boolean interrupted = false;
    for (List<M> left = ms;
        !left.isEmpty() && isAllOver();
        left = List.copyOf(sched.threads.all())) {
      for (M m : left) {
        interrupted |= awaitEnd(m);
      }
      VirtualThreads.osYield(); // an M enters the set before it starts, and is not alive until then
    }
    return interrupted;
  }

  /** Waits for the end of {@code thread}. Returns whether the caller was interrupted meanwhile. */
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
