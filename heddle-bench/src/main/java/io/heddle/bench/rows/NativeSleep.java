package io.heddle.bench.rows;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Native code that blocks its thread without telling the scheduler. */
@SuppressWarnings("restricted")
public final class NativeSleep {
  private static final MethodHandle USLEEP =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("usleep"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private NativeSleep() {}

  /** Blocks for {@code millis} milliseconds. */
  public static void nap(int millis) {
    try {
      int _ = (int) USLEEP.invokeExact(1_000 * millis);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
