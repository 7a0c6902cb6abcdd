package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Mounts, parks and yields with {@code java.lang.HeddleMount}, which needs three locked
 * instructions per run where the JDK needs eight.
 */
final class OwnMounter implements Mounter {
  /*
   * HeddleMount follows the internals of the JDK step by step. This class is therefore used only if
   * OwnMountCheck finds no reason against it, and MounterTrial succeeds.
   */
  private static final BiConsumer<Object, Object> RUN_LOOP;
  private static final MethodHandle PARK;
  private static final MethodHandle YIELD;
  private static final MethodHandle HIDE;

  static {
    try {
      MethodHandles.Lookup lookup = JdkLookup.inJavaLang();
      Class<?> mount = HeddleMountLoader.define(lookup);
      MethodType leave = MethodType.methodType(boolean.class, Thread.class);
      PARK = lookup.findStatic(mount, "park", leave);
      YIELD = lookup.findStatic(mount, "yield", leave);
      HIDE =
          lookup.findStatic(
              mount, "hide", MethodType.methodType(void.class, Thread.class, Runnable.class));
      RUN_LOOP = runLoop(lookup, mount);
    } catch (Throwable e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private OwnMounter() {}

  @SuppressWarnings("unchecked") // the return type of HeddleMount.runLoop
  private static BiConsumer<Object, Object> runLoop(MethodHandles.Lookup lookup, Class<?> mount)
      throws Throwable {
    return (BiConsumer<Object, Object>)
        lookup.findStatic(mount, "runLoop", MethodType.methodType(BiConsumer.class)).invoke();
  }

  /**
   * Returns the mounter after a successful trial.
   *
   * @param asked whether the user asks for this mounter with {@code heddle.mount=own}
   * @throws IllegalStateException if the mounter does not fit this JVM, or the trial failed; the
   *     message is the reason
   */
  static OwnMounter open(boolean asked) {
    String reason = OwnMountCheck.reasonAgainst(asked);
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    OwnMounter mounter = new OwnMounter();
    new MounterTrial(mounter).run();
    return mounter;
  }

  @Override
  public String name() {
    return "own";
  }

  @Override
  public void run(Thread first, UnaryOperator<@Nullable Thread> next) {
    RUN_LOOP.accept(first, next);
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

  /**
   * Parks the current virtual thread, unless it has a permit. This method never consumes the
   * permit: the fallback to {@link LockSupport#park} does.
   *
   * @return whether the thread was parked; false, without an effect, if the thread has a permit, is
   *     interrupted, cannot unmount, or there is no memory for its stack
   */
  static boolean tryPark(Thread self, Object blocker) {
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

  /**
   * Makes {@code task} the task of {@code thread}, which has not been started, and hides the thread
   * from debuggers.
   */
  static void hide(Thread thread, Runnable task) {
    try {
      HIDE.invokeExact(thread, task);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  /**
   * Yields the current virtual thread, which is {@code self}. Returns false, without an effect, if
   * the thread cannot unmount.
   */
  static boolean tryYield(Thread self) {
    try {
      return (boolean) YIELD.invokeExact(self);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }
}
