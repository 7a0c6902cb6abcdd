package io.heddle.internal.jdk;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes classes of the JDK that are already loaded: all of them, or none if one change fails.
 *
 * <p>The changes last for the life of the JVM. Any agent can retransform a class, and the JVM then
 * starts from the class file of the JDK. The transformer therefore stays registered and makes the
 * change again.
 */
final class ClassPatcher implements ClassFileTransformer {
  private final ClassDesc holder;
  private final Map<Class<?>, ClassTransform> changes;

  /** The cause of the first change that failed; null if no change has failed. */
  private volatile @Nullable Throwable failure;

  /**
   * Whether all classes have been changed. A failure after that belongs to a later
   * retransformation, which another agent caused.
   */
  private volatile boolean applied;

  private ClassPatcher(ClassDesc holder, Map<Class<?>, ClassTransform> changes) {
    this.holder = holder;
    this.changes = changes;
  }

  /**
   * Applies {@code changes}, now and whenever another agent retransforms one of the classes.
   *
   * @param holder the class of Heddle that each change makes its class refer to. A class file that
   *     refers to {@code holder} already stays as it is.
   * @param changes the change of each class. A change must have no state of its own, because it is
   *     applied several times, on any thread.
   * @throws ReflectiveOperationException if one of the changes threw; then all classes are as
   *     before
   */
  static void apply(
      Instrumentation instrumentation, ClassDesc holder, Map<Class<?>, ClassTransform> changes)
      throws ReflectiveOperationException {
    Class<?>[] classes = changes.keySet().toArray(Class<?>[]::new);
    ClassPatcher patcher = new ClassPatcher(holder, changes);
    instrumentation.addTransformer(patcher, true);
    try {
      instrumentation.retransformClasses(classes);
      patcher.applied = patcher.failure == null;
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException("a class of the JDK cannot be changed", e);
    } finally {
      if (!patcher.applied) {
        boolean _ = instrumentation.removeTransformer(patcher);
      }
    }
    Throwable failure = patcher.failure;
    if (!patcher.applied && failure != null) {
      undo(instrumentation, classes);
      throw new ReflectiveOperationException(failure.getMessage(), failure);
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

  /** Returns null at once for any class that is loaded for the first time. */
  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> type,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    ClassTransform change = type == null ? null : changes.get(type);
    if (type == null || change == null || !isNameOf(type, name)) {
      return null;
    }
    try {
      ClassFile file = ClassFile.of();
      ClassModel model = file.parse(bytes);
      return isChanged(model) ? null : file.transformClass(model, change);
    } catch (Throwable t) {
      failed(type, t);
      return null;
    }
  }

  /**
   * Whether {@code name} is that of {@code type}. It is another one if the JVM, in the middle of a
   * retransformation, loads a class that it needs for the call of the transformer: it passes the
   * bytes and the name of that class, but the type that is being retransformed.
   */
  private static boolean isNameOf(Class<?> type, @Nullable String name) {
    return type.getName().replace('.', '/').equals(name);
  }

  /** Whether these bytes come from a tool that read them after the change. */
  private boolean isChanged(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry reference && reference.matches(holder)) {
        return true;
      }
    }
    return false;
  }

  private void failed(Class<?> type, Throwable cause) {
    if (failure != null) {
      return;
    }
    failure = cause;
    if (applied) {
      System.err.println(
          "heddle: another agent changed "
              + type.getName()
              + ", and the change of Heddle does not fit any more: "
              + cause);
    }
  }
}
