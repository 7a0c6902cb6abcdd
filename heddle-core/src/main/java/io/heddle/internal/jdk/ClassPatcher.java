package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes classes of the JDK that are already loaded: all of them, or none if one change fails. */
final class ClassPatcher implements ClassFileTransformer {
  private final Map<Class<?>, ClassTransform> changes;
  private @Nullable RuntimeException failure;

  private ClassPatcher(Map<Class<?>, ClassTransform> changes) {
    this.changes = changes;
  }

  /**
   * Applies {@code changes}.
   *
   * @throws ReflectiveOperationException if one of the changes threw; then all classes are as
   *     before
   */
  static void apply(Instrumentation instrumentation, Map<Class<?>, ClassTransform> changes)
      throws ReflectiveOperationException {
    Class<?>[] classes = changes.keySet().toArray(Class<?>[]::new);
    ClassPatcher patcher = new ClassPatcher(changes);
    instrumentation.addTransformer(patcher, true);
    try {
      instrumentation.retransformClasses(classes);
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException("a class of the JDK cannot be changed", e);
    } finally {
      boolean _ = instrumentation.removeTransformer(patcher);
    }
    if (patcher.failure != null) {
      undo(instrumentation, classes);
      throw new ReflectiveOperationException(patcher.failure.getMessage(), patcher.failure);
    }
  }

  /** Retransforms the classes without the transformer, which restores their original code. */
  private static void undo(Instrumentation instrumentation, Class<?>[] classes)
      throws ReflectiveOperationException {
    try {
      instrumentation.retransformClasses(classes);
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException("a class of the JDK cannot be changed back", e);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> type,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    ClassTransform change = type == null ? null : changes.get(type);
    if (change == null) {
      return null;
    }
    try {
      ClassFile file = ClassFile.of();
      return file.transformClass(file.parse(bytes), change);
    } catch (RuntimeException e) {
      failure = e;
      return null;
    }
  }
}
