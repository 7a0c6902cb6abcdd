package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;

/**
 * Finds the monitor of the JDK's cleaner. Every thread that opens or closes a file, a socket or
 * automatically freed memory takes it.
 */
public final class CleanerMonitor {
  private CleanerMonitor() {}

  public static Object monitor() throws ReflectiveOperationException {
    try {
      Class<?> factory = Class.forName("jdk.internal.ref.CleanerFactory");
      Object cleaner =
          JdkLookup.in(factory)
              .findStatic(factory, "cleaner", MethodType.methodType(Cleaner.class))
              .invoke();
      Class<?> impl = Class.forName("jdk.internal.ref.CleanerImpl");
      MethodHandles.Lookup inImpl = JdkLookup.in(impl);
      Object found =
          inImpl
              .findStatic(impl, "getCleanerImpl", MethodType.methodType(impl, Cleaner.class))
              .invoke(cleaner);
      Class<?> list = Class.forName("jdk.internal.ref.CleanerImpl$CleanableList");
      return inImpl.findGetter(impl, "activeList", list).invoke(found);
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
