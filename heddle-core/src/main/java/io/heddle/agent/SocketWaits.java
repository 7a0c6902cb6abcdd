package io.heddle.agent;

import io.heddle.internal.jdk.ClassChanges;
import io.heddle.internal.jdk.SocketPollPatch;
import io.heddle.internal.sched.SocketHooks;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets goroutines wait for sockets in the network poller of their scheduler. Without a poller for
 * this operating system, they wait in the JDK's pollers.
 */
final class SocketWaits implements SocketPollPatch.Waiters {
  /**
   * Whether {@link #begin(ClassChanges)} has begun to patch the JDK. The agent may start twice, but
   * must patch only once.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private SocketWaits() {}

  /**
   * Patches the JDK's sockets. Does nothing without a poller for this operating system. Only the
   * first call has an effect.
   */
  static void begin(ClassChanges classes) throws ReflectiveOperationException {
    if (SocketHooks.areKnown() && BEGUN.compareAndSet(false, true)) {
      SocketPollPatch.open(classes, new SocketWaits());
    }
  }

  @Override
  public boolean poll(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    return SocketHooks.poll(owner, fd, event, nanos, isOpen);
  }

  @Override
  public void begin() {
    try {
      SocketHooks.prepare();
    } catch (OutOfMemoryError e) {
      // No thread can be started now. The first wait tries again.
    }
  }

  @Override
  public void stop(int fd, int event) {
    SocketHooks.stop(fd, event);
  }
}
