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
    /** The thread runs on a CPU, or waits for one. */
    CPU,
    /** The thread sleeps or waits in the operating system. */
    SOMETHING_ELSE,
    UNKNOWN
  }

  /** Stands for an unknown thread id: no thread has the id 0. */
  public static final int NONE = 0;

  private static final int SIZE = 512;
  private static final int CLOEXEC = 0x80000;

  /**
   * The number of trial calls in {@link #prepare}. It is larger than the number of calls after
   * which the JVM recompiles a method handle. The thread that makes the call recompiles it.
   * Sysmon's thread must not do that, because it must not wait.
   */
  private static final int TRIALS = 200;

  private static volatile boolean prepared;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(SIZE);

  /** Holds the system calls, which are linked at first use: linking takes some milliseconds. */
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
   * Links the system calls and checks that they work; before this method has returned, every answer
   * is {@link #NONE} or {@code UNKNOWN}. The call takes some milliseconds, so the caller must be a
   * thread that no other thread waits for.
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

  /** Returns the Linux id of the calling platform thread; {@link #NONE} if the id is not known. */
  public static int current() {
    return prepared ? id() : NONE;
  }

  /** Returns what the thread with the Linux id {@code id} was doing a moment ago. */
  public RunState wishOf(int id) {
    int letter = prepared && id != NONE ? letter(id) : 0;
    return switch (letter) {
      case 0 -> RunState.UNKNOWN;
      case 'R' -> RunState.CPU;
      default -> RunState.SOMETHING_ELSE;
    };
  }

  /** Must be called, like {@link #wishOf}, by the thread that made this object. */
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

  /** The state letter in {@code /proc/self/task/id/stat}; 0 if that file cannot be read. */
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
   * Finds the state letter in the buffer: it follows the thread name, which stands in brackets. The
   * search for the closing bracket starts at the end, because the name may contain brackets and
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
