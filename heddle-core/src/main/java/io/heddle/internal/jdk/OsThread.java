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

/**
 * Reads the run state of threads of this process from Linux, by their Linux thread id. Not
 * thread-safe.
 */
public final class OsThread implements AutoCloseable {
  /*
   * Sysmon uses this class, and must not wait for anything that a goroutine may hold. It therefore
   * makes system calls directly and reads into memory of its own. Opening a file in Java would
   * enter a monitor of the JDK's cleaners.
   */

  /** What a thread is doing, as far as the operating system knows. */
  public enum RunState {
    /** It runs on a CPU, or waits for one. */
    CPU,
    /** It sleeps or waits in the operating system. */
    SOMETHING_ELSE,
    UNKNOWN
  }

  /** An id that no thread has. */
  public static final int NONE = 0;

  private static final int SIZE = 512;
  private static final int CLOEXEC = 0x80000;

  /**
   * More calls than it takes until the JVM recompiles a method handle, which must not happen on
   * sysmon's thread.
   */
  private static final int TRIALS = 200;

  private static volatile boolean prepared;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(SIZE);

  /** The system calls. Linking them takes some milliseconds. */
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

  /**
   * Links the system calls and checks that they work; before that every answer is {@link #NONE} or
   * {@code UNKNOWN}. It takes some milliseconds, so it must not run on a thread that others wait
   * for.
   */
  public static void prepare() {
    try (OsThread asker = new OsThread()) {
      boolean isRight = true;
      for (int i = 0; i < TRIALS; i++) {
        isRight &= asker.letter(id()) == 'R';
      }
      prepared = isRight;
    } catch (RuntimeException | LinkageError e) {
      // Another operating system: all answers stay UNKNOWN.
    }
  }

  /** The id of the calling platform thread; {@link #NONE} if it is not known. */
  public static int current() {
    return prepared ? id() : NONE;
  }

  /** The run state of the thread with that id, as it was a moment ago. */
  public RunState wishOf(int id) {
    int letter = prepared && id != NONE ? letter(id) : 0;
    return switch (letter) {
      case 0 -> RunState.UNKNOWN;
      case 'R' -> RunState.CPU;
      default -> RunState.SOMETHING_ELSE;
    };
  }

  /** Must be called by the thread that made this object. */
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

  /** The state letter in {@code /proc/self/task/id/stat}; 0 if it cannot be read. */
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

  /**
   * Searches from the end, because the name of the thread comes before and may contain brackets and
   * blanks.
   */
  private int letterIn(long length) {
    for (long i = length - 3; i > 0; i--) {
      if (buffer.get(JAVA_BYTE, i) == ')') {
        return buffer.get(JAVA_BYTE, i + 2);
      }
    }
    return 0;
  }
}
