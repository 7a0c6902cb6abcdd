package io.heddle;

import io.heddle.internal.base.Clock;
import io.heddle.internal.inspect.DaemonThreads;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.timer.TimerHeap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The timers of a scheduler where Heddle is off: one heap, and one daemon thread that fires them.
 */
final class PlainTimers {
  /*
   * The heap calls onEarlier whenever its earliest time becomes earlier, so also for the first
   * timer. That first call starts the thread.
   *
   * No wake-up is lost. A thread that sets an earlier timer: 1. changes the heap's earliest time.
   * 2. Unparks the timer thread. The timer thread reads the earliest time before each park. If it
   * reads before step 1, the unpark of step 2 ends its park, or the park returns at once.
   */
  private final String name;
  private final TimerHeap heap = new TimerHeap(VirtualThreads::osYield, _ -> onEarlier());
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  PlainTimers(String name) {
    this.name = name;
  }

  TimerHeap heap() {
    return heap;
  }

  /** Tells the timer thread to end; does not wait for that. After its end no timer fires. */
  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void onEarlier() {
    Thread known = thread;
    LockSupport.unpark(known == null ? started() : known);
  }

  private synchronized @Nullable Thread started() {
    if (thread == null && !closed) {
      thread = DaemonThreads.start("heddle-" + name + "-timers", this::fireUntilClosed);
    }
    return thread;
  }

  private void fireUntilClosed() {
    while (!closed) {
      int _ = heap.runDue(Clock.now());
      long earliest = heap.earliest();
      if (earliest == TimerHeap.NEVER) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, Math.max(1, earliest - Clock.now()));
      }
    }
  }
}
