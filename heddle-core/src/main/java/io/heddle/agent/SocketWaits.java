package io.heddle.agent;

import io.heddle.internal.jdk.SocketPollPatch;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.SocketHooks;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Makes goroutines wait for sockets in the poller of their scheduler, on systems that have one. */
final class SocketWaits implements SocketPollPatch.Waiters {
  /**
   * Set by the first call of begin. The agent may start twice, but must patch the JDK only once.
   */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private SocketWaits() {}

  /**
   * Patches the JDK's sockets. Without a poller for this system it does nothing, and the JDK's
   * pollers stay in use.
   */
  static void begin(Instrumentation instrumentation) throws ReflectiveOperationException {
    if (SocketHooks.areKnown() && VirtualThreads.isOpen() && BEGUN.compareAndSet(false, true)) {
      SocketHooks.prepare();
      SocketPollPatch.open(instrumentation, new SocketWaits());
    }
  }

  @Override
  public boolean poll(
      @Nullable Object owner, int fd, int event, long nanos, @Nullable BooleanSupplier isOpen) {
    return SocketHooks.poll(owner, fd, event, nanos, isOpen);
  }

  @Override
  public void stop(int fd, int event) {
    SocketHooks.stop(fd, event);
  }
}
