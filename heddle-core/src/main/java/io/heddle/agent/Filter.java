package io.heddle.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which virtual threads are to be adopted, or which classes woven.
 *
 * @param patterns names of threads, or of the classes that make them, with a {@code *} at the end for all that begin so;
 *     empty for all threads
 */
record Filter(List<String> patterns) {
  static final Filter ALL = new Filter(List.of());

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** On the thread that makes one of that name. */
  boolean wants(@Nullable String name) {
    if (patterns.isEmpty() || (name != null && matches(name))) {
      return true;
    }
    Class<?> maker = maker();
    return maker != null && matches(maker.getName());
  }

  /** Whether it wants a thread or class of that name. */
  boolean matches(String name) {
    if (patterns.isEmpty()) {
      return true;
    }
    for (String pattern : patterns) {
      boolean isPrefix = pattern.endsWith("*");
      if (isPrefix
          ? name.startsWith(pattern.substring(0, pattern.length() - 1))
          : name.equals(pattern)) {
        return true;
      }
    }
    return false;
  }

  /** The nearest caller that is neither the JDK's nor ours. */
  private static @Nullable Class<?> maker() {
    return WALKER.walk(
        frames ->
            frames
                .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> type.getClassLoader() != null && !isOurs(type))
                .findFirst()
                .orElse(null));
  }

  private static boolean isOurs(Class<?> type) {
    return type.getProtectionDomain() == Filter.class.getProtectionDomain()
        && type.getPackageName().startsWith("io.heddle");
  }
}
