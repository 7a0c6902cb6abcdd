package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import jdk.internal.vm.Continuation;
import org.jspecify.annotations.Nullable;

/**
 * Mounts, parks and yields with {@code java.lang.HeddleMount}, which needs three locked
 * instructions per run where the JDK needs eight.
 */
final class OwnMounter implements Mounter {
  /*
   * HeddleMount follows the internals of JDK 25 step by step. This class is therefore not used on
   * any other JDK, nor if a field or method is missing, nor if the trial fails.
   */
  private static final int KNOWN_JDK = 25;

  private static final MethodHandle RUN;
  private static final MethodHandle PARK;
  private static final MethodHandle YIELD;
  private static final MethodHandle SET_CONTINUATION;

  static {
    try {
      MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
      Class<?> mount = HeddleMountLoader.define(lookup);
      MethodType leave = MethodType.methodType(boolean.class, Thread.class);
      PARK = lookup.findStatic(mount, "park", leave);
      YIELD = lookup.findStatic(mount, "yield", leave);
      RUN =
          lookup.findStatic(
              mount, "run", MethodType.methodType(void.class, Thread.class, UnaryOperator.class));
      SET_CONTINUATION =
          lookup
              .findSetter(Thread.class, "cont", Continuation.class)
              .asType(MethodType.methodType(void.class, Thread.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private OwnMounter() {}

  /**
   * Returns the mounter after a successful trial.
   *
   * @throws IllegalStateException if this is another JDK, or the trial failed
   */
  static OwnMounter open() {
    int feature = Runtime.version().feature();
    if (feature != KNOWN_JDK) {
      throw new IllegalStateException("made for JDK " + KNOWN_JDK + ", and this is " + feature);
    }
    OwnMounter mounter = new OwnMounter();
    new Trial(mounter).run();
    return mounter;
  }

  @Override
  public String name() {
    return "own";
  }

  @Override
  public void run(Thread first, UnaryOperator<@Nullable Thread> next) {
    try {
      RUN.invokeExact(first, next);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  @Override
  public void park(Object blocker) {
    Thread self = Thread.currentThread();
    if (!self.isVirtual() || !tryPark(self, blocker)) {
      LockSupport.park(blocker);
    }
  }

  @Override
  public void yieldNow() {
    Thread self = Thread.currentThread();
    if (self.isVirtual()) {
      boolean _ = tryYield(self);
    } else {
      Thread.yield();
    }
  }

  @Override
  public void clearContinuation(Thread carrier) {
    try {
      SET_CONTINUATION.invokeExact(carrier, (Object) null);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Parks the current virtual thread, unless it has a permit. The permit is never taken.
   *
   * @return whether the thread was parked; false, without an effect, if the thread has a permit, is
   *     interrupted, cannot unmount, or there is no memory for its stack
   */
  private static boolean tryPark(Thread self, Object blocker) {
    LockSupport.setCurrentBlocker(blocker);
    try {
      return (boolean) PARK.invokeExact(self);
    } catch (OutOfMemoryError e) {
      return false;
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    } finally {
      LockSupport.setCurrentBlocker(null);
    }
  }

  /** Returns false if the current virtual thread cannot unmount. */
  private static boolean tryYield(Thread self) {
    try {
      return (boolean) YIELD.invokeExact(self);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Takes one virtual thread through every path of {@code HeddleMount}.
   *
   * <p>The trial detects an incompatible JDK at start-up. It also links all method handles.
   * Otherwise they would be linked in a goroutine's first switch, where the stack may be nearly
   * exhausted.
   */
  private static final class Trial {
    private final OwnMounter mounter;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Trial(OwnMounter mounter) {
      this.mounter = mounter;
    }

    /**
     * Runs the trial on a platform thread of its own, because the caller may be a virtual thread,
     * which cannot mount another.
     */
    void run() {
      Thread carrier = Thread.ofPlatform().name("heddle-trial").daemon().unstarted(this::carry);
      carrier.setUncaughtExceptionHandler((_, e) -> failure.set(e));
      carrier.start();
      awaitEnd(carrier);
      Throwable e = failure.get();
      if (e != null) {
        throw new IllegalStateException("" + e);
      }
    }

    /**
     * Waits for the end of {@code carrier}, even if the caller is interrupted, and keeps the
     * caller's interrupt status.
     */
    private static void awaitEnd(Thread carrier) {
      boolean interrupted = false;
      while (carrier.isAlive()) {
        try {
          carrier.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void carry() {
      Thread thread = VirtualThreads.newThread(_ -> {}, "heddle-trial", this::yieldAndPark);
      thread.start();
      runOnce(thread);
      require(VirtualThreads.hasYielded(thread), "yield");
      runOnce(thread);
      require(VirtualThreads.tryUnpark(thread), "park");
      runOnce(thread);
      require(VirtualThreads.isTerminated(thread), "end");
    }

    private void runOnce(Thread thread) {
      mounter.run(thread, _ -> null);
    }

    private void yieldAndPark() {
      Thread self = Thread.currentThread();
      require(tryYield(self), "yield");
      require(tryPark(self, this), "park");
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalStateException("a thread did not " + what);
      }
    }
  }
}
