package io.heddle.internal.jdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What Linux tells of a thread of this process, by the number it has there. One who asks at a time. */
public final class OsThread implements AutoCloseable {
  /*
   * Asked by the monitor, which must not wait for anything that a goroutine may hold. So it asks by system calls alone, into
   * memory of its own: to open a file in Java takes a monitor of the JDK's cleaners.
   */

  /** What a thread wants at the moment. */
  public enum RunState {
    /** It has one, or waits for one. */
    CPU,
    SOMETHING_ELSE,
    UNKNOWN
  }

  /** No thread has this number. */
  public static final int NONE = 0;

  private static final int SIZE = 512;
  private static final int CLOEXEC = 0x80000;

  /** After so many calls a method handle changes its form: not on the monitor's thread. */
  private static final int TRIALS = 200;

  private static volatile boolean prepared;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(SIZE);

  /** The calls; to make them takes some milliseconds. */
  private static final class SystemCalls {
    static final MethodHandle ID = call("gettid", FunctionDescriptor.of(JAVA_INT));
    static final MethodHandle OPEN =
        call(
            "open",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    static final MethodHandle READ =
        call("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private static MethodHandle call(
        String name, FunctionDescriptor type, Linker.Option... options) {
      MethodHandle call = NativeCalls.find(name, type, options);
      if (call == null) {
        throw new UnsupportedOperationException("the system has no " + name);
      }
      return call;
    }
  }

  /** From now on there are answers, if this is a system that gives them. Better not on a thread for which somebody waits. */
  public static void prepare() {
    try (OsThread asker = new OsThread()) {
      boolean isRight = true;
      for (int i = 0; i < TRIALS; i++) {
        isRight &= asker.letter(id()) == 'R';
      }
      prepared = isRight;
    } catch (RuntimeException | LinkageError e) {
      // Not the system we know.
    }
  }

  /** The number of the calling platform thread, {@link #NONE} if that is not known. */
  public static int current() {
    return prepared ? id() : NONE;
  }

  /** As it was a moment ago. */
  public RunState wishOf(int id) {
    int letter = prepared && id != NONE ? letter(id) : 0;
    return switch (letter) {
      case 0 -> RunState.UNKNOWN;
      case 'R' -> RunState.CPU;
      default -> RunState.SOMETHING_ELSE;
    };
  }

  /** By the thread that made it. */
  @Override
  public void close() {
    arena.close();
  }

  private static int id() {
    try {
      return (int) SystemCalls.ID.invokeExact();
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /** The one in {@code /proc}; 0 if there is none to be had. */
  private int letter(int id) {
    buffer.setString(0, "/proc/self/task/" + id + "/stat");
    try {
      int fd = (int) SystemCalls.OPEN.invokeExact(buffer, CLOEXEC, 0);
      if (fd < 0) {
        return 0;
      }
      try {
        return letterIn((long) SystemCalls.READ.invokeExact(fd, buffer, (long) SIZE));
      } finally {
        int _ = (int) SystemCalls.CLOSE.invokeExact(fd);
      }
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /** Behind the thread's name, which may have brackets and blanks of its own. */
  private int letterIn(long length) {
    for (long i = length - 3; i > 0; i--) {
      if (buffer.get(JAVA_BYTE, i) == ')') {
        return buffer.get(JAVA_BYTE, i + 2);
      }
    }
    return 0;
  }
}
