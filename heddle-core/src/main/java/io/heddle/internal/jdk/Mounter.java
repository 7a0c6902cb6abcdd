package io.heddle.internal.jdk;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Mounts virtual threads on the calling platform thread, and unmounts the current virtual thread
 * when it parks or yields.
 *
 * <p>All goroutines of a process are run, parked and yielded through {@link #current()}. {@link
 * #run} works only if the JDK's internals are open to Heddle ({@link VirtualThreads#isOpen}). Every
 * other method works on any thread of any JVM.
 */
public sealed interface Mounter permits JdkMounter, OwnMounter {
  /*
   * Two implementations. MounterChoice selects one before the first goroutine runs, for the rest of
   * the process:
   *
   *              OwnMounter                              JdkMounter
   *   run        loop in java.lang.HeddleMount           loop over the JDK's runContinuation tasks
   *   park       HeddleMount.park, else LockSupport      LockSupport.park
   *   yieldNow   HeddleMount.yield                       Thread.yield
   *   needs      OwnMountCheck and MounterTrial succeed  nothing
   *
   * Both work on the JDK's own thread states, so a thread that parked through one may be continued
   * by the other, and LockSupport.unpark, Thread.interrupt and thread dumps see no difference.
   *
   * Where the loop is. The loop over goroutines is inside run. RunLoop (in sched) only names the
   * next goroutine. If the loop were in RunLoop, each switch would return to RunLoop from the
   * method that mounts. That return costs 11 to 13 ns, because the processor cannot predict it.
   * Inlining would not avoid it: the method that mounts changes the current thread, and the
   * compilers inline such a method only into another such method (docs/decisions, 23). There are
   * two loops, because JdkMounter must work where HeddleMount cannot be defined.
   *
   * Speed. MounterChoice.Chosen.MOUNTER and the method handles of OwnMounter are static final
   * fields. The compilers therefore see constants and inline from the caller of park or yieldNow
   * into HeddleMount.
   *
   * Checked by: MounterTest (both implementations), ParkingTest.
   */

  /**
   * Delays the choice of an implementation until the first M runs a goroutine. Heddle's agent calls
   * this when it starts, because the agents that start later may still change the JDK.
   */
  static void chooseLate() {
    MounterChoice.chooseLate();
  }

  /**
   * Makes the choice now, so that a later call of {@link #current} needs little stack. Does nothing
   * after {@link #chooseLate}.
   */
  static void prepare() {
    if (!MounterChoice.isLate()) {
      Mounter _ = current();
    }
  }

  /** Returns the implementation that this process uses. */
  static Mounter current() {
    return MounterChoice.Chosen.MOUNTER;
  }

  /**
   * Returns the name of this implementation, which is also the value of the setting {@code
   * heddle.mount} that selects it.
   */
  String name();

  /**
   * Runs {@code first} on the calling platform thread until {@code first} unmounts, then passes it
   * to {@code next} and runs the thread that {@code next} returns. The loop ends when {@code next}
   * returns null. A thread that is not runnable is passed to {@code next} without a run.
   *
   * <p>After a run, {@code next} must check whether the thread is runnable again. The executor of
   * the thread may not have been told: {@link OwnMounter} does not submit a thread that yielded, or
   * that was unparked while it parked.
   */
  void run(Thread first, UnaryOperator<@Nullable Thread> next);

  /**
   * Parks the current thread, with the contract of {@link
   * java.util.concurrent.locks.LockSupport#park(Object)}.
   *
   * @param blocker what the thread waits for, as {@code LockSupport.getBlocker} tells it
   */
  void park(Object blocker);

  /** Yields, with the contract of {@link Thread#yield}. */
  void yieldNow();
}
