package io.heddle.internal.poll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.heddle.internal.jdk.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The Linux system calls that {@link EpollPoller} uses. A result below 0 is a negated {@code
 * errno}.
 */
final class Epoll {
  /*
   * The handles are static final, so that the JIT compiler can inline them. Their creation takes
   * about 80 ms. Therefore no goroutine should load this class, because it would block its M (see
   * SocketHooks).
   *
   * Rejected: Linker.Option.critical for the calls that do not block. It saves 3 ns of 230 ns.
   * During such a call the garbage collector must wait, and the call may wait for another thread in
   * the kernel.
   */
  static final int CTL_ADD = 1;
  static final int CTL_MOD = 3;
  static final int CTL_DEL = 2;

  static final int IN = 0x1;
  static final int OUT = 0x4;
  static final int ERR = 0x8;
  static final int HUP = 0x10;
  static final int RDHUP = 0x2000;

  /** Edge-triggered: the kernel reports each change only once. */
  static final int ET = 1 << 31;

  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EEXIST = 17;
  static final int ENOSYS = 38;

  private static final int CLOEXEC = 0x80000;
  private static final int NONBLOCK = 0x800;

  /**
   * A flag of the eventfd: a read decrements its counter by one instead of resetting the counter.
   */
  private static final int SEMAPHORE = 1;

  /**
   * Whether {@code struct epoll_event} has no padding. For x86-64, Linux uses the layout of 32-bit
   * systems, where no padding is needed.
   */
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");

  static final int EVENT_SIZE = PACKED ? 12 : 16;
  static final int DATA_OFFSET = PACKED ? 4 : 8;
  private static final long TIMESPEC_SIZE = 16;
  private static final long NANOS_IN_SECOND = 1_000_000_000;
  private static final long NANOS_IN_MILLI = 1_000_000;

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_OF =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle CREATE =
      call("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CTL =
      call("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT =
      call("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

  /**
   * The variant of epoll_wait with a timeout in nanoseconds, which exists since Linux 5.11 and
   * glibc 2.35. Null if glibc lacks it.
   */
  private static final @Nullable MethodHandle PWAIT2 =
      NativeCalls.find(
          "epoll_pwait2",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS),
          ERRNO);

  private static final MethodHandle EVENTFD =
      call("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle WRITE =
      call("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle READ =
      call("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /**
   * Whether {@link #PWAIT2} can be called. Set to false if the kernel, which may be older than
   * glibc, lacks the call.
   */
  private static volatile boolean hasPwait2 = PWAIT2 != null;

  private Epoll() {}

  /** Native memory for the calls of one thread at a time. */
  static final class Buffer {
    private final MemorySegment state;
    private final MemorySegment time;
    private final MemorySegment eight;
    private final MemorySegment events;
    private final int capacity;

    Buffer(Arena arena, int capacity) {
      this.capacity = capacity;
      state = arena.allocate(STATE);
      time = arena.allocate(TIMESPEC_SIZE, Long.BYTES);
      eight = arena.allocate(Long.BYTES, Long.BYTES);
      events = arena.allocate((long) EVENT_SIZE * capacity, Long.BYTES);
    }

    int eventsAt(int i) {
      return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) i * EVENT_SIZE);
    }

    long dataAt(int i) {
      return events.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * EVENT_SIZE + DATA_OFFSET);
    }

    private int result(int result) {
      return result >= 0 ? result : -(int) ERRNO_OF.get(state, 0L);
    }
  }

  static int create(Buffer buffer) {
    try {
      return buffer.result((int) CREATE.invokeExact(buffer.state, CLOEXEC));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  static int eventfd(Buffer buffer) {
    try {
      return buffer.result(
          (int) EVENTFD.invokeExact(buffer.state, 0, CLOEXEC | NONBLOCK | SEMAPHORE));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  static int ctl(Buffer buffer, int epoll, int op, int fd, int events, long data) {
    buffer.events.set(ValueLayout.JAVA_INT_UNALIGNED, 0, events);
    buffer.events.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA_OFFSET, data);
    try {
      return buffer.result((int) CTL.invokeExact(buffer.state, epoll, op, fd, buffer.events));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /**
   * Waits at most {@code nanos} for events and writes them to the buffer. Without epoll_pwait2 the
   * time is rounded up to a millisecond. Returns the number of events, or a negated {@code errno}.
   */
  static int await(Buffer buffer, int epoll, long nanos) {
    MethodHandle precise = PWAIT2;
    if (nanos > 0 && precise != null && hasPwait2) {
      int n = awaitPrecisely(precise, buffer, epoll, nanos);
      if (n != -ENOSYS) {
        return n;
      }
      hasPwait2 = false;
    }
    // Rounded up, because a caller that waits for a timer would otherwise wake too early and wait
    // again.
    int millis = (int) Math.min(Integer.MAX_VALUE, (nanos + NANOS_IN_MILLI - 1) / NANOS_IN_MILLI);
    try {
      return buffer.result(
          (int) WAIT.invokeExact(buffer.state, epoll, buffer.events, buffer.capacity, millis));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  private static int awaitPrecisely(MethodHandle call, Buffer buffer, int epoll, long nanos) {
    buffer.time.set(JAVA_LONG, 0, nanos / NANOS_IN_SECOND);
    buffer.time.set(JAVA_LONG, Long.BYTES, nanos % NANOS_IN_SECOND);
    try {
      return buffer.result(
          (int)
              call.invokeExact(
                  buffer.state,
                  epoll,
                  buffer.events,
                  buffer.capacity,
                  buffer.time,
                  MemorySegment.NULL));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /**
   * Writes {@code value} to {@code fd}. Unlike the other calls, returns -1 after an error, and no
   * {@code errno}.
   */
  static long write(Buffer buffer, int fd, long value) {
    buffer.eight.set(JAVA_LONG, 0, value);
    try {
      return (long) WRITE.invokeExact(buffer.state, fd, buffer.eight, (long) Long.BYTES);
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /**
   * Reads 8 bytes from {@code fd}. Unlike the other calls, returns -1 after an error, and no {@code
   * errno}.
   */
  static long read(Buffer buffer, int fd) {
    try {
      return (long) READ.invokeExact(buffer.state, fd, buffer.eight, (long) Long.BYTES);
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  static int close(Buffer buffer, int fd) {
    try {
      return buffer.result((int) CLOSE.invokeExact(buffer.state, fd));
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  private static MethodHandle call(String name, FunctionDescriptor type) {
    MethodHandle call = NativeCalls.find(name, type, ERRNO);
    if (call == null) {
      throw new UnsupportedOperationException("the system has no function " + name);
    }
    return call;
  }
}
