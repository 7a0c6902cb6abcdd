package io.heddle.internal.jdk;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes classes of the JDK that may be loaded already: all of them, or none if one change fails.
 *
 * <p>Any agent can retransform a class, and the JVM then starts from the class file of the JDK. The
 * transformer therefore stays registered and makes the change again.
 */
final class Retransformation implements ClassChanges {
  private final Instrumentation instrumentation;

  Retransformation(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public void apply(MethodHandles.Lookup in, String holder, Map<String, ClassChange> changes)
      throws ReflectiveOperationException {
    Map<Class<?>, ClassChange> byClass = new HashMap<>();
    for (Map.Entry<String, ClassChange> change : changes.entrySet()) {
      byClass.put(Class.forName(change.getKey(), false, null), change.getValue());
    }
    Class<?>[] classes = byClass.keySet().toArray(Class<?>[]::new);
    Transformer transformer = new Transformer(holder, byClass);
    instrumentation.addTransformer(transformer, true);
    try {
      instrumentation.retransformClasses(classes);
      Redefinitions.addOurs(classes);
      transformer.applied = transformer.failure == null;
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException("a class of the JDK cannot be changed", e);
    } finally {
      if (!transformer.applied) {
        boolean _ = instrumentation.removeTransformer(transformer);
      }
    }
    Throwable failure = transformer.failure;
    if (!transformer.applied && failure != null) {
      undo(classes);
      throw new ReflectiveOperationException(failure.getMessage(), failure);
    }
  }

  /** Retransforms the classes without the transformer, which restores their original code. */
  private void undo(Class<?>[] classes) throws ReflectiveOperationException {
    try {
      instrumentation.retransformClasses(classes);
      Redefinitions.addOurs(classes);
    } catch (UnmodifiableClassException e) {
      throw new ReflectiveOperationException("a class of the JDK cannot be changed back", e);
    }
  }

  /** Makes the changes, now and whenever another agent retransforms one of the classes. */
  private static final class Transformer implements ClassFileTransformer {
    private final String holder;
    private final Map<Class<?>, ClassChange> changes;

    /** The cause of the first change that failed; null if no change has failed. */
    private volatile @Nullable Throwable failure;

    /**
     * Whether all classes have been changed. A failure after that belongs to a later
     * retransformation, which another agent caused.
     */
    private volatile boolean applied;

    Transformer(String holder, Map<Class<?>, ClassChange> changes) {
      this.holder = holder;
      this.changes = changes;
    }

    /**
     * Returns the changed class file; null leaves the class as it is. For a class that is loaded
     * for the first time the result is always null.
     */
    @Override
    public byte @Nullable [] transform(
        @Nullable Module module,
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> type,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      ClassChange change = type == null ? null : changes.get(type);
      if (type == null || change == null || !isNameOf(type, name)) {
        return null;
      }
      try {
        // A class file that refers to the holder already contains the change: a tool has read the
        // changed class file, and now passes it back to the JVM.
        return new ClassFileEdit(bytes).refersTo(holder) ? null : change.apply(bytes);
      } catch (Throwable t) {
        failed(type, t);
        return null;
      }
    }

    /**
     * Whether {@code name} is the name of {@code type}. They differ if the JVM, in the middle of a
     * retransformation, loads a class that the transformer needs. The JVM then passes the bytes and
     * name of the loaded class, but the type that is being retransformed.
     */
    private static boolean isNameOf(Class<?> type, @Nullable String name) {
      return type.getName().replace('.', '/').equals(name);
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
}
