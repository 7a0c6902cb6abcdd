package io.heddle.internal.wait;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.Mounter;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Parks and unparks threads that wait in a loop for a condition of their own. Any thread may park
 * and be unparked; for a goroutine it is faster than {@link LockSupport}.
 */
public final class Parking {
  /*
   * LockSupport.unpark leaves a permit and LockSupport.park takes it back. Permits are for wake-ups
   * that come before the park. A wake-up that finds its goroutine parked and unmounted needs none,
   * so both sides save the exchange:
   *
   *   park:    1. If there is a permit or an interrupt, fall back to LockSupport.
   *            2. Unmount; the state becomes PARKED.
   *   unpark:  1. CAS the state from PARKED to UNPARKED, as the JDK's unpark does.
   *            2. Queue the goroutine.
   *
   * unpark falls back to LockSupport when the CAS fails: the goroutine is not parked yet, has a
   * time limit, is parked with its carrier, or is suspended while another thread reads its stack.
   *
   * No wake-up is lost, as in the JDK. An unpark that does not find PARKED leaves a permit and then
   * reads the state. The parking side writes PARKED and then reads the permit (HeddleMount.unmount,
   * or the JDK's afterYield). Both sides are sequentially consistent, so at least one sees the
   * other's write. The earlier state PARKING is only written with release, because for a waker it
   * means the same as RUNNING.
   *
   * The park itself is in Mounter, which all goroutines use. PollDesc and the JDK wake goroutines
   * with LockSupport.unpark, which is equivalent.
   *
   * Checked by: ParkingTest (with a broken twin), ChanStress, SchedulerStressTest.
   */
  static {
    // Initializes these classes now. If a thread at the end of its stack were the first to use one,
    // its initializer would fail with a StackOverflowError, and the class could never be used.
    StackHeadroom.ensure();
    Mounter _ = Mounter.current();
    if (VirtualThreads.isOpen()) {
      // Links the handle now, and not in a goroutine whose stack may be nearly exhausted.
      boolean _ = VirtualThreads.tryUnpark(Thread.ofVirtual().unstarted(() -> {}));
    }
  }

  private Parking() {}

  /**
   * Initializes the classes that a park uses. {@link WaitQueue} calls this method, because every
   * object with waiters has a queue from the start. A program that has no scheduler needs these
   * classes, too.
   */
  static void prepare() {
    // The work is done by the static initializer.
  }

  /**
   * Parks the current thread until {@link #unpark}, {@link LockSupport#unpark} or an interrupt.
   * Like {@link LockSupport#park(Object)} it may return for no reason.
   */
  public static void park(Object blocker) {
    // A platform thread does not use Mounter. It must not be the first to initialise MounterChoice,
    // because it may be near the end of its stack. A goroutine comes after a scheduler, which has
    // initialised it.
    if (Thread.currentThread().isVirtual()) {
      Mounter.current().park(blocker);
    } else {
      LockSupport.park(blocker);
    }
  }

  /**
   * Wakes {@code thread}, or makes its next park return at once. Does nothing if {@code thread} is
   * null.
   */
  public static void unpark(@Nullable Thread thread) {
    if (!tryUnpark(thread)) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Unparks {@code thread} without a permit. Returns false, without an effect, if the caller must
   * use {@link LockSupport#unpark} instead.
   */
  static boolean tryUnpark(@Nullable Thread thread) {
    if (thread == null
        || !thread.isVirtual()
        || !VirtualThreads.isOpen()
        || !(VirtualThreads.executorOf(thread) instanceof G g && g.thread() == thread)
        || !hasRoom()
        || !VirtualThreads.tryUnpark(thread)) {
      return false;
    }
    boolean pinned = VirtualThreads.pin(); // stay mounted until g is queued, as in the JDK
    try {
      g.sched().ready(g);
    } finally {
      if (pinned) {
        VirtualThreads.unpin();
      }
    }
    return true;
  }

  /**
   * Whether the stack has room for the rest of an unpark. This is checked before the CAS of the
   * state, because a stack overflow after the CAS would lose the goroutine. If the JDK unparks a
   * goroutine, {@link G#execute} handles an overflow.
   */
  private static boolean hasRoom() {
    try {
      StackHeadroom.ensure();
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }
}
