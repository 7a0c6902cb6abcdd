package io.heddle.internal.jdk;

import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Mounts, parks and yields with the JDK's own methods. Used if {@link OwnMounter} does not work in
 * this JVM, or the user has chosen this class.
 */
final class JdkMounter implements Mounter {
  @Override
  public String name() {
    return "jdk";
  }

  @Override
  public void run(Thread first, UnaryOperator<@Nullable Thread> next) {
    for (Thread thread = first; thread != null; thread = next.apply(thread)) {
      VirtualThreads.continuation(thread).run();
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
}
