package io.heddle;

import io.heddle.internal.base.StackHeadroom;
import io.heddle.internal.jdk.ThreadState;
import io.heddle.internal.jdk.WaitReason;
import io.heddle.internal.part.Account;
import io.heddle.internal.part.CpuClock;
import io.heddle.internal.part.CpuTotals;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.timer.Deadline;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.wait.Parking;
import io.heddle.internal.wait.WaitQueue;
import io.heddle.internal.wait.WaitState;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Initializes the classes that goroutines use in channel operations, locks, sleeps and parks,
 * before the first goroutine runs. Each scheduler and each bubble calls {@link #run} at first, and
 * so does the static initializer of Chan. Only the first of these calls has an effect.
 *
 * <p>A goroutine may be at the end of its stack when it is the first to use such a class. The
 * initializer would then fail with {@link StackOverflowError}, and the JVM would refuse the class
 * with {@link NoClassDefFoundError} until the process ends.
 */
final class EarlyInitialization {
  /*
   * Only classes with a static initializer are listed. A class without one cannot become unusable:
   * if a stack overflow stops its linking, the JVM links the class again at the next use.
   *
   * The network poller's classes are not listed, because SocketHooks.prepare initializes them.
   *
   * Two threads that initialize these classes at once deadlock if two static initializers wait for
   * each other. In the list, only the initializer of Chan calls run, and so waits for all other
   * classes. Therefore no other initializer in the list may need Chan.
   *
   * Checked by: EarlyInitializationTest.
   */
  private static final Class<?>[] TYPES = {
    StackHeadroom.class,
    ThreadState.class,
    GoroutineState.class,
    WaitReason.class,
    G.class,
    Account.class,
    CpuClock.class,
    CpuTotals.class,
    Deadline.class,
    WaitQueue.class,
    WaitState.class,
    Parking.class,
    Goroutine.State.class,
    CreationSite.class,
    BackgroundContext.class,
    CurrentContext.class,
    LoadedCarries.class,
    Labels.class,
    WaitLimit.class,
    Waiter.class,
    Chan.class,
    Case.class,
    Case.Kind.class,
    Mutex.class,
    RWMutex.class,
    WaitGroup.class,
    ThreadLocalRandom.class, // its initializer seeds the random choice of a select
  };

  /**
   * The names of further classes to initialize. These classes are not accessible here, so only a
   * string can name them. The compiler generates the classes whose names end in $1, each for a
   * switch over an enum.
   */
  private static final String[] NESTED = {
    TimerHeap.class.getName() + "$TimerOutcome",
    Deadline.class.getName() + "$1",
    G.class.getPackageName() + ".NetPolling$1",
    CancelContext.class.getName() + "$Call",
  };

  private EarlyInitialization() {}

  /** Initializes the classes; after the first call it does nothing. */
  static void run() {
    for (Class<?> type : TYPES) {
      initialize(type.getName());
    }
    for (String name : NESTED) {
      initialize(name);
    }
  }

  private static void initialize(String name) {
    try {
      Class<?> _ = Class.forName(name, true, EarlyInitialization.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
