package openjdk;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Runs a task below a native frame, so that its virtual thread is pinned: C's {@code qsort} calls
 * the task.
 */
public final class Pinned {
  private static final MethodHandle QSORT;
  private static final FunctionDescriptor COMPARE =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);

  static {
    Linker linker = Linker.nativeLinker();
    QSORT =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
  }

  private final VirtualTest.Task task;
  private boolean ran;
  private Throwable thrown;

  private Pinned(VirtualTest.Task task) {
    this.task = task;
  }

  public static void run(VirtualTest.Task task) throws Exception {
    Pinned pinned = new Pinned(task);
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle compare =
          MethodHandles.lookup()
              .bind(
                  pinned,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment callback = Linker.nativeLinker().upcallStub(compare, COMPARE, arena);
      QSORT.invokeExact(arena.allocate(ValueLayout.JAVA_INT, 2), 2L, 4L, callback);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
    if (pinned.thrown instanceof Exception e) {
      throw e;
    }
    if (pinned.thrown != null) {
      throw new AssertionError(pinned.thrown);
    }
  }

  /** Called by C, so it must not throw; C decides how often it is called. */
  private int compare(MemorySegment a, MemorySegment b) {
    if (!ran) {
      ran = true;
      try {
        task.run();
      } catch (Throwable t) {
        thrown = t;
      }
    }
    return 0;
  }
}
