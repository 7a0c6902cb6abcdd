package io.heddle.internal.jdk;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the C library by the foreign-function API.
 *
 * <p>That API wants to be told on the command line who may use it. To allow it to this library would, on the class path,
 * allow it to everybody: so it is asked from inside, which it always allows.
 */
public final class NativeCalls {
  private NativeCalls() {}

  /** The function of that name, null if there is none. */
  public static @Nullable MethodHandle find(
      String name, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment address = linker.defaultLookup().find(name).orElse(null);
    if (address == null) {
      return null;
    }
    try {
      Class<?> inside = Class.forName("jdk.internal.foreign.abi.AbstractLinker");
      MethodHandles.Lookup lookup = BlockedOn.lookupIn(inside);
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

  /** What came out of a handle, which throws nothing that is checked. */
  public static RuntimeException rethrow(Throwable t) {
    throw VirtualThreads.rethrow(t);
  }
}
