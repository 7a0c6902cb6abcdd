package io.heddle.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Creates the {@link VarHandle}s of a class's own fields without a {@code try} block.
 *
 * <pre>{@code
 * private static final VarHandle HEAD = Handles.field(MethodHandles.lookup(), "head", int.class);
 * }</pre>
 *
 * <p>Assign the result to a {@code static final} field: only then the JIT compiler treats the
 * handle as a constant and compiles an access to a plain machine instruction.
 */
public final class Handles {
  private Handles() {}

  /**
   * Returns a handle to an instance field of the class in which {@code lookup} was created.
   *
   * @throws ExceptionInInitializerError if that class has no such field: a programming error
   */
  public static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
    return field(lookup, lookup.lookupClass(), name, type);
  }

  /**
   * Returns a handle to an instance field of {@code owner}, a class whose private fields {@code
   * lookup} can access: the lookup's class itself, or a class nested in it.
   *
   * @throws ExceptionInInitializerError if {@code owner} has no such field: a programming error
   */
  public static VarHandle field(
      MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
    try {
      return lookup.findVarHandle(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
