package io.heddle.internal.wait;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** {@link LockSupport} for what waits in a loop: any thread may park and be unparked, a goroutine by a shorter way. */
public final class Parking {
  /*
   * The JDK's way leaves a permit at each unpark and takes it back at each park. That is for wake-ups that come too early;
   * one that finds its goroutine parked, off its carrier, needs none. So park only looks whether there is a permit, and
   * unpark moves PARKED to UNPARKED, the exchange that the JDK's unpark also does, and queues the goroutine. Whatever is
   * not so simple is left to LockSupport: there is a permit, or an interrupt; it is not parked yet, or for a limited time,
   * or with its carrier; somebody holds it to look at its stack.
   *
   * Ordering: no wake-up is lost, as in the JDK. If unpark finds it not PARKED yet, it leaves a permit, and then reads the
   * state; who parks writes PARKED, and then looks for a permit (HeddleMount.unmount, or the JDK's afterYield). PARKING is only released: to
   * those who wake, it means the same as RUNNING before it.
   *
   * Checked by: ParkingTest (with a broken twin), ChanStress, SchedulerStressTest.
   */
  static {
    if (VirtualThreads.isOpen()) {
      // Linked now, and not for the first time where there may be no room for that.
      boolean _ = VirtualThreads.tryUnpark(Thread.ofVirtual().unstarted(() -> {}));
    }
  }

  private Parking() {}

  /** Until {@link #unpark} or {@link LockSupport#unpark}, an interrupt, or for no reason. */
  public static void park(Object blocker) {
    Thread self = Thread.currentThread();
    if (!self.isVirtual() || !VirtualThreads.isOpen()) {
      LockSupport.park(blocker);
      return;
    }
    boolean parked;
    LockSupport.setCurrentBlocker(blocker);
    try {
      parked = Mounter.park(self);
    } finally {
      LockSupport.setCurrentBlocker(null);
    }
    if (!parked) {
      LockSupport.park(blocker);
    }
  }

  public static void unpark(@Nullable Thread thread) {
    if (!tryUnpark(thread)) {
      LockSupport.unpark(thread);
    }
  }

  /** The short way; false if that does not lead there. */
  static boolean tryUnpark(@Nullable Thread thread) {
    if (thread == null
        || !thread.isVirtual()
        || !VirtualThreads.isOpen()
        || !(VirtualThreads.executorOf(thread) instanceof G g && g.thread() == thread)
        || !hasRoom()
        || !VirtualThreads.tryUnpark(thread)) {
      return false;
    }
    boolean pinned = VirtualThreads.pin(); // as the JDK does around execute
    try {
      g.sched().ready(g);
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
    return true;
  }

  /** Behind the exchange it is too late to run out of stack; the JDK's way is prepared for that: see G.execute. */
  private static boolean hasRoom() {
    try {
      StackHeadroom.ensure();
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }
}
