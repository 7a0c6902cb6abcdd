package io.heddle.internal.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.ProtectionDomain;
import java.util.List;

/**
 * Defines {@code java.lang.HeddleMount}, which is compiled into {@code META-INF/boot}, as a hidden
 * class of java.base.
 */
final class HeddleMountLoader {
  /*
   * Lookup.defineHiddenClass would define the class too, but needs a lookup with original access to
   * java.lang, which only the JDK has. This class therefore calls ClassLoader.defineClass0, as
   * defineHiddenClass does.
   */
  private static final String NAME = "java/lang/HeddleMount";

  /**
   * The flags HIDDEN_CLASS | ACCESS_VM_ANNOTATIONS of defineClass0: Lookup passes the same for a
   * class of the boot loader.
   */
  private static final int HIDDEN_WITH_VM_ANNOTATIONS = 2 | 8;

  /**
   * The methods by which VirtualThread in JDK 25 tells the JVM that a mount begins and ends, and
   * that an unmount begins and ends. Each name is followed by the argument. JDK-8364343 changed the
   * methods in JDK 26.
   */
  private static final List<Object> NOTIFICATIONS_OF_25 =
      List.of(
          "notifyJvmtiMount",
          true,
          "notifyJvmtiMount",
          false,
          "notifyJvmtiUnmount",
          true,
          "notifyJvmtiUnmount",
          false);

  private static final List<Object> NOTIFICATIONS_SINCE_26 =
      List.of(
          "startTransition",
          true,
          "endTransition",
          true,
          "startTransition",
          false,
          "endTransition",
          false);

  private HeddleMountLoader() {}

  /** Returns the list of notification methods for this JDK. */
  private static List<Object> notifications() {
    return JdkRelease.current() == JdkRelease.JDK_25 ? NOTIFICATIONS_OF_25 : NOTIFICATIONS_SINCE_26;
  }

  static Class<?> define(MethodHandles.Lookup lookup) throws ReflectiveOperationException {
    MethodHandle define =
        lookup.findStatic(
            ClassLoader.class,
            "defineClass0",
            MethodType.methodType(
                Class.class,
                ClassLoader.class,
                Class.class,
                String.class,
                byte[].class,
                int.class,
                int.class,
                ProtectionDomain.class,
                boolean.class,
                int.class,
                Object.class));
    byte[] bytes = read();
    try {
      return (Class<?>)
          define.invokeExact(
              (ClassLoader) null,
              Thread.class,
              NAME,
              bytes,
              0,
              bytes.length,
              (ProtectionDomain) null,
              true,
              HIDDEN_WITH_VM_ANNOTATIONS,
              (Object) notifications());
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }

  private static byte[] read() throws ReflectiveOperationException {
    String path = "/META-INF/boot/" + NAME + ".class";
    try (InputStream in = HeddleMountLoader.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new ClassNotFoundException(NAME + ".class is not in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(NAME, e);
    }
  }
}
