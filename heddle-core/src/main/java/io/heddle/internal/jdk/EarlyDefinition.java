package io.heddle.internal.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Changes classes of the JDK that are not loaded yet. The changed class file is defined under the
 * name of the JDK's class. The JVM then finds a loaded class of that name, and does not load the
 * JDK's class file.
 */
final class EarlyDefinition implements ClassChanges {
  @Override
  public void apply(MethodHandles.Lookup in, String holder, Map<String, ClassChange> changes)
      throws ReflectiveOperationException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (Map.Entry<String, ClassChange> change : changes.entrySet()) {
      files.put(change.getKey(), changed(change.getKey(), change.getValue()));
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      try {
        Class<?> _ = in.defineClass(file.getValue());
      } catch (LinkageError e) {
        boolean isInvalid = e instanceof ClassFormatError || e instanceof VerifyError;
        throw new ReflectiveOperationException(
            isInvalid
                ? "the JVM refuses the changed " + file.getKey() + ": " + e.getMessage()
                : file.getKey() + " was loaded before Heddle could change it",
            e);
      }
    }
  }

  private static byte[] changed(String name, ClassChange change)
      throws ReflectiveOperationException {
    try {
      return change.apply(bytes(name));
    } catch (RuntimeException e) {
      throw new ReflectiveOperationException(e.getMessage(), e);
    }
  }

  /** Returns the JDK's class file of the class {@code name}. */
  private static byte[] bytes(String name) throws ReflectiveOperationException {
    String path = name.replace('.', '/').concat(".class");
    try (InputStream in = Object.class.getModule().getResourceAsStream(path)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ReflectiveOperationException("the class file of " + name + " cannot be read", e);
    }
  }
}
