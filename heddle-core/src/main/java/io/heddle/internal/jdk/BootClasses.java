package io.heddle.internal.jdk;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The classes of {@code src/main/boot}, which are compiled into {@code META-INF/boot}. Heddle
 * defines them in packages of the JDK. A class of the JDK can call them, and cannot see Heddle's
 * other classes.
 */
final class BootClasses {
  private BootClasses() {}

  /**
   * Defines a class.
   *
   * @param in a lookup in the package of the class
   * @param name the name of the class, with slashes
   */
  static Class<?> define(MethodHandles.Lookup in, String name) throws ReflectiveOperationException {
    return in.defineClass(read(name));
  }

  /** Returns the class file of a class. */
  static byte[] read(String name) throws ReflectiveOperationException {
    String path = "META-INF/boot/" + name + ".class";
    try {
      byte[] file = readFromJar(path);
      return file == null ? readFromLoader(path) : file;
    } catch (IOException | URISyntaxException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * Reads a file from the jar file that contains this class. Returns null if this class is not in a
   * jar file, or the jar has no such file. A class loader would read the file through a URL, but
   * the classes for URLs take some milliseconds to load.
   */
  private static byte @Nullable [] readFromJar(String path) throws IOException, URISyntaxException {
    CodeSource source = BootClasses.class.getProtectionDomain().getCodeSource();
    URL place = source == null ? null : source.getLocation();
    if (place == null || !place.getProtocol().equals("file") || !place.getPath().endsWith(".jar")) {
      return null;
    }
    try (ZipFile jar = new ZipFile(new File(place.toURI()))) {
      ZipEntry entry = jar.getEntry(path);
      if (entry == null) {
        return null;
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return in.readAllBytes();
      }
    }
  }

  private static byte[] readFromLoader(String path) throws IOException, ClassNotFoundException {
    try (InputStream in = BootClasses.class.getResourceAsStream("/" + path)) {
      if (in == null) {
        throw new ClassNotFoundException(path + " is not in the jar");
      }
      return in.readAllBytes();
    }
  }

  /** Writes {@code value} to the static volatile field {@code name} of {@code type}. */
  static void set(Class<?> type, String name, Object value) throws ReflectiveOperationException {
    // For Unsafe. VirtualThreads exports this package too, but may not be initialized yet.
    JdkLookup.export("jdk.internal.misc");
    Field field = type.getDeclaredField(name);
    Unsafe unsafe = Unsafe.getUnsafe();
    unsafe.ensureClassInitialized(type);
    unsafe.putReferenceVolatile(
        unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field), value);
  }
}
