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
  // They are static final, so that the compilers inline through them.
  private static final MethodHandle POLL = PollHandles.poll;
  private static final MethodHandle STOP = PollHandles.stopPoll;

  /**
   * Handles of Heddle's methods. Heddle writes these fields before the JDK uses {@link HeddlePoll}.
   */
  static final class PollHandles {
    static volatile MethodHandle poll;
    static volatile MethodHandle stopPoll;
    static volatile MethodHandle begin;

    private PollHandles() {}
  }

  private HeddlePoll() {}

  /**
   * Does what {@code IOUtil.load} does, and tells Heddle that the program begins to use sockets.
   * The initializer of {@code Net} calls this method in place of {@code IOUtil.load}.
   */
  static void load() {
    IOUtil.load();
    try {
      PollHandles.begin.invokeExact();
    } catch (Throwable t) {
      // The first wait for a socket then tells Heddle.
    }
  }

  /** Waits for a socket, which {@code owner} identifies, in Heddle or else in the JDK's poller. */
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

  // The JDK up to release 26 calls the next two methods, and later releases the third.

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

  /** Does what {@code Poller.stopPoll(Thread)} does, but does not initialize {@code Poller}. */
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
