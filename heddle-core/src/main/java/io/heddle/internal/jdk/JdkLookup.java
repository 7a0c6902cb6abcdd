package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Lookups with access to private members of java.base. They need java.lang to be open to Heddle.
 */
final class JdkLookup {
  private JdkLookup() {}

  /** A lookup in java.lang. */
  static MethodHandles.Lookup inJavaLang() throws IllegalAccessException {
    return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
  }

  /**
   * Returns a lookup in {@code type}, after opening the package of {@code type} to Heddle. That is
   * possible because code inside java.lang may open any package.
   */
  static MethodHandles.Lookup in(Class<?> type) throws ReflectiveOperationException {
    changeModule("implAddOpens", type.getModule(), type.getPackageName());
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
  }

  /** Exports a package of java.base to Heddle, so that Heddle's classes may extend its classes. */
  static void export(String packageName) throws ReflectiveOperationException {
    changeModule("implAddExports", Object.class.getModule(), packageName);
  }

  private static void changeModule(String method, Module module, String packageName)
      throws ReflectiveOperationException {
    MethodHandle change =
        inJavaLang()
            .findVirtual(
                Module.class,
                method,
                MethodType.methodType(void.class, String.class, Module.class));
    try {
      change.invokeExact(module, packageName, JdkLookup.class.getModule());
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }
}
