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
   * LockSupport.unpark leaves a permit by an atomic operation, and LockSupport.park takes it by
   * another one. A permit is for a wake-up that comes before the park. A wake-up that finds its
   * goroutine parked and unmounted needs no permit. So park and unpark each save one atomic
   * operation:
   *
   *   park:    1. If there is a permit or an interrupt, fall back to LockSupport.
   *            2. Unmount; the state becomes PARKED.
   *   unpark:  1. CAS the state from PARKED to UNPARKED, as the JDK's unpark does.
   *            2. Queue the goroutine.
   *
   * unpark falls back to LockSupport in two cases:
   *   - It does not try the CAS, because the thread is no goroutine, java.lang is not open to
   *     Heddle, or the caller's stack has no room for step 2.
   *   - The CAS fails, because the goroutine is not parked yet, is parked with a time limit, is
   *     parked together with its carrier, or is suspended while another thread reads its stack.
   *
   * No wake-up is lost, as in the JDK. An unpark that does not find PARKED leaves a permit and then
   * reads the state. The parking side writes PARKED and then reads the permit (HeddleMount.unmount,
   * or the JDK's afterYield). Both sides are sequentially consistent, so at least one sees the
   * other's write. The state PARKING, which comes before PARKED, is only written with release,
   * because a waker treats PARKING like RUNNING.
   *
   * The park itself is in Mounter, which all goroutines use. PollDesc and the JDK wake goroutines
   * with LockSupport.unpark, which is equivalent.
   *
   * Checked by: ParkingTest (with a broken twin), ChanStress, SchedulerStressTest.
   */
  static {
    // Initializes these classes now. If a thread at the end of its stack were the first to use one
    // of them, the initializer would fail with a StackOverflowError. The class could then never be
    // used.
    StackHeadroom.ensure();
    Mounter.prepare();
    if (VirtualThreads.isOpen()) {
      // Links the method handle of tryUnpark now, and not in a goroutine whose stack may be nearly
      // exhausted. The thread was never started, so the call has no effect.
      boolean _ = VirtualThreads.tryUnpark(Thread.ofVirtual().unstarted(() -> {}));
    }
  }

  private Parking() {}

  /**
   * Initializes the classes that a park uses. The initializer of {@link WaitQueue} calls this
   * method, because every object with waiters creates a queue before a thread waits. It is not left
   * to a scheduler, because platform threads may also wait in a program that has none.
   */
  static void prepare() {
    // The work is done by the static initializer.
  }

  /**
   * Parks the current thread until {@link #unpark}, {@link LockSupport#unpark} or an interrupt.
   * Like {@link LockSupport#park(Object)} it may return for no reason.
   */
  public static void park(Object blocker) {
    // A platform thread must not use Mounter here. It might be the first to initialise class
    // MounterChoice, and near the end of its stack the class would fail forever. For a goroutine
    // the class is initialised already, by the first M that ran a goroutine.
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
    boolean pinned = VirtualThreads.pin(); // the caller stays mounted until g is queued
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
   * Whether the caller's stack has room for the rest of an unpark. This is checked before the CAS
   * of the state, because an overflow after the CAS would leave the goroutine unparked but in no
   * queue. With {@link LockSupport#unpark}, {@link G#execute} handles an overflow.
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
