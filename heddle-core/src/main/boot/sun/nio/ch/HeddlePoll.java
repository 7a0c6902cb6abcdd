package sun.nio.ch;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdk.internal.access.SharedSecrets;

/**
 * Stands in for {@code Poller}: io.heddle.internal.jdk.SocketPollPatch makes the JDK's socket
 * classes call this class. Heddle decides how the thread waits; if it declines, the JDK's poller is
 * called.
 */
final class HeddlePoll {
  // Constants for the compilers.
  private static final MethodHandle POLL = PollHandles.poll;
  private static final MethodHandle STOP = PollHandles.stopPoll;

  /** Heddle's methods, which Heddle writes before the JDK uses {@link HeddlePoll}. */
  static final class PollHandles {
    static volatile MethodHandle poll;
    static volatile MethodHandle stopPoll;
    static volatile MethodHandle begin;

    private PollHandles() {}
  }

  private HeddlePoll() {}

  /** Called by the initializer of {@code Net}, in place of {@code IOUtil.load}. */
  static void load() {
    IOUtil.load();
    try {
      PollHandles.begin.invokeExact();
    } catch (Throwable t) {
      // Heddle is then told by the first wait for a socket.
    }
  }

  /** Waits for a socket that {@code owner} identifies. */
  static void poll(FileDescriptor owner, int event, long nanos, BooleanSupplier isOpen)
      throws IOException {
    int fd = SharedSecrets.getJavaIOFileDescriptorAccess().get(owner);
    if (!ask(owner, fd, event, nanos, isOpen)) {
      Poller.poll(fd, event, nanos, isOpen);
    }
  }

  static void poll(int fd, int event, long nanos, BooleanSupplier isOpen) throws IOException {
    if (!ask(null, fd, event, nanos, isOpen)) {
      Poller.poll(fd, event, nanos, isOpen);
    }
  }

  static void pollSelector(int fd, long nanos) throws IOException {
    if (!ask(null, fd, Net.POLLIN, nanos, null)) {
      Poller.pollSelector(fd, nanos);
    }
  }

  // Up to JDK 26.

  static void stopPoll(int fd, int event) {
    if (!askStop(fd, event)) {
      Poller.stopPoll(fd, event);
    }
  }

  static void stopPoll(int fd) {
    if (!askStop(fd, 0)) {
      Poller.stopPoll(fd);
    }
  }

  /** From JDK 27 on. Does what the method of {@code Poller} does, without its initializer. */
  static void stopPoll(Thread thread) {
    LockSupport.unpark(thread);
  }

  private static boolean ask(Object owner, int fd, int event, long nanos, BooleanSupplier isOpen) {
    try {
      return (boolean) POLL.invokeExact(owner, fd, event, nanos, isOpen);
    } catch (Throwable t) {
      throw HeddlePoll.<RuntimeException>unchecked(t);
    }
  }

  private static boolean askStop(int fd, int event) {
    try {
      return (boolean) STOP.invokeExact(fd, event);
    } catch (Throwable t) {
      throw HeddlePoll.<RuntimeException>unchecked(t);
    }
  }

  @SuppressWarnings("unchecked") // the cast does nothing at run time
  private static <T extends Throwable> T unchecked(Throwable t) throws T {
    throw (T) t;
  }
}
