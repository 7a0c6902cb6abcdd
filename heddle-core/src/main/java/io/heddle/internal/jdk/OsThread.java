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
import java.util.concurrent.atomic.AtomicBoolean;

/** What Linux tells of a thread of this process, by the number it has there. */
public final class OsThread {
  /*
   * Asked by the monitor, which must not wait for anything that a goroutine may hold. So it is asked by system calls
   * alone: to open a file in Java takes a monitor of the JDK's cleaners. There is one buffer, and who finds it in use is
   * told that nothing is known.
   */

  /** No thread has it. */
  public static final int UNKNOWN = 0;

  private static final int SIZE = 512;
  private static final int CLOEXEC = 0x80000;

  private static volatile boolean prepared;

  private OsThread() {}

  /** The calls; to make them takes some milliseconds. */
  private static final class Calls {
    static final MethodHandle ID = call("gettid", FunctionDescriptor.of(JAVA_INT));
    static final MethodHandle OPEN =
        call(
            "open",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    static final MethodHandle READ =
        call("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    static final MemorySegment BUFFER = Arena.global().allocate(SIZE);
    static final AtomicBoolean IN_USE = new AtomicBoolean();

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
    try {
      int id = ask(Calls.ID);
      prepared = state(id) == 'R'; // and everything is loaded
    } catch (RuntimeException | LinkageError e) {
      prepared = false;
    }
  }

  /** The number of the calling platform thread, or {@link #UNKNOWN}. */
  public static int current() {
    return prepared ? ask(Calls.ID) : UNKNOWN;
  }

  /** Whether it is on a CPU or waits for one, as it was a moment ago; false if that is not known. */
  public static boolean wantsCpu(int id) {
    return prepared && id != UNKNOWN && state(id) == 'R';
  }

  private static int ask(MethodHandle call) {
    try {
      return (int) call.invokeExact();
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    }
  }

  /** The letter in {@code /proc}; 0 if there is none to be had. */
  private static int state(int id) {
    if (!Calls.IN_USE.compareAndSet(false, true)) {
      return 0;
    }
    try {
      Calls.BUFFER.setString(0, "/proc/self/task/" + id + "/stat");
      int fd = (int) Calls.OPEN.invokeExact(Calls.BUFFER, CLOEXEC, 0);
      if (fd < 0) {
        return 0;
      }
      long n = (long) Calls.READ.invokeExact(fd, Calls.BUFFER, (long) SIZE);
      int _ = (int) Calls.CLOSE.invokeExact(fd);
      return letter(n);
    } catch (Throwable t) {
      throw NativeCalls.rethrow(t);
    } finally {
      Calls.IN_USE.set(false);
    }
  }

  /** What stands behind the thread's name, which may have brackets and blanks of its own. */
  private static int letter(long length) {
    for (long i = length - 3; i > 0; i--) {
      if (Calls.BUFFER.get(JAVA_BYTE, i) == ')') {
        return Calls.BUFFER.get(JAVA_BYTE, i + 2);
      }
    }
    return 0;
  }
}
