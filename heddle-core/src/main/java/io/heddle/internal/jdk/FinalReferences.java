package io.heddle.internal.jdk;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes final references: the kind of reference with which the JDK finalizes objects. When an
 * object is reachable only through final and weak references, the collector enqueues the final
 * references and keeps the object. So an observer learns that nothing else refers to the object,
 * and the object still exists. No finalizer runs.
 *
 * <p>{@link Reference#get} and {@link Reference#clear} of the result must not be called before the
 * reference was taken from the queue. From then on it is an ordinary, strong reference.
 */
public final class FinalReferences {
  /*
   * The class java.lang.ref.FinalReference has been the same since JDK 9, and is independent of the
   * flag --finalization=disabled, which only keeps the JDK from making such references.
   *
   * Checked by: LeakedProgramsTest, on each JDK.
   */
  private static final @Nullable MethodHandle NEW;
  private static final @Nullable Throwable FAILURE;

  static {
    MethodHandle made = null;
    Throwable failure = null;
    try {
      Class<?> type = Class.forName("java.lang.ref.FinalReference");
      made =
          JdkLookup.in(type)
              .findConstructor(
                  type, MethodType.methodType(void.class, Object.class, ReferenceQueue.class))
              .asType(MethodType.methodType(Reference.class, Object.class, ReferenceQueue.class));
    } catch (ReflectiveOperationException | RuntimeException e) {
      failure = e;
    }
    NEW = made;
    FAILURE = failure;
  }

  private FinalReferences() {}

  /**
   * Makes a final reference to {@code referent}. The collector puts it into {@code queue} when only
   * weak references refer to {@code referent} besides it.
   *
   * @throws IllegalStateException if this JDK does not have such references
   */
  @SuppressWarnings("unchecked") // the constructor is generic
  public static <T> Reference<T> make(T referent, ReferenceQueue<T> queue) {
    if (NEW == null) {
      throw new IllegalStateException("this JDK has no references that keep an object", FAILURE);
    }
    try {
      return (Reference<T>)
          (Reference<?>) NEW.invokeExact((Object) referent, (ReferenceQueue<?>) queue);
    } catch (Throwable t) {
      throw VirtualThreads.rethrow(t);
    }
  }
}
