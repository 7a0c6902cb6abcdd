package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;

/** The monitor that everybody takes who opens or closes a file, a socket, or memory that is given back by itself. */
public final class Cleaners {
  private Cleaners() {}

  public static Object monitor() throws ReflectiveOperationException {
    try {
      Class<?> factory = Class.forName("jdk.internal.ref.CleanerFactory");
      Object cleaner =
          BlockedOn.lookupIn(factory)
              .findStatic(factory, "cleaner", MethodType.methodType(Cleaner.class))
              .invoke();
      Class<?> impl = Class.forName("jdk.internal.ref.CleanerImpl");
      MethodHandles.Lookup inImpl = BlockedOn.lookupIn(impl);
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
