package io.heddle.internal.jdk;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Links functions of the C library with the foreign-function API.
 *
 * <p>Java prints a warning unless the command line enables native access for the calling module. On
 * the class path that option would enable native access for the whole program. This class therefore
 * calls the linker's internal method, which does not check the option.
 */
public final class NativeCalls {
  private NativeCalls() {}

  /** Returns a handle of the function {@code name}; null if the system has no such function. */
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().find(name).orElse(null);
    if (address == null) {
      return null;
    }
    try {
      Class<?> inside = Class.forName("jdk.internal.foreign.abi.AbstractLinker");
      MethodHandles.Lookup lookup = JdkLookup.in(inside);
      MethodHandle link =
          lookup.findVirtual(
              inside,
              "downcallHandle0",
              MethodType.methodType(
                  MethodHandle.class, FunctionDescriptor.class, Linker.Option[].class));
      return ((MethodHandle) link.asFixedArity().invoke(linker, type, options)).bindTo(address);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  /** Throws what a handle of this class threw, which is never a checked exception. */
  public static RuntimeException rethrow(Throwable t) {
    throw VirtualThreads.rethrow(t);
  }
}
