package io.heddle.agent;

import io.heddle.internal.jdk.SocketPollPatch;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.SocketHooks;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Has goroutines wait for sockets in their scheduler's poller, where there is one for the system. */
final class SocketWaits implements SocketPollPatch.Waiters {
  /** The agent may be asked for twice. */
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private SocketWaits() {}

  /** From now on; on other systems the JDK's pollers do it, as before. */
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
