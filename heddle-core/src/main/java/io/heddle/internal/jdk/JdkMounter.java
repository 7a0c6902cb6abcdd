package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Mounts, parks and yields with the JDK's own methods. Used where {@link OwnMounter} is not
 * possible or not wanted.
 */
final class JdkMounter implements Mounter {
  private static final MethodHandle RUN = VirtualThreads.runContinuation();

  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public void run(Thread first, UnaryOperator<@Nullable Thread> next) {
    try {
      for (Thread thread = first; thread != null; thread = next.apply(thread)) {
        RUN.invokeExact(thread);
      }
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  @Override
  public void park(Object blocker) {
    LockSupport.park(blocker);
  }

  @Override
  public void yieldNow() {
    Thread.yield();
  }

  /** Does nothing, because the JDK's own run restores the carrier's reference to a continuation. */
  @Override
  public void clearContinuation(Thread carrier) {}
}
