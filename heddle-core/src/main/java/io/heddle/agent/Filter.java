package io.heddle.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the virtual threads to adopt, or the classes to weave.
 *
 * @param patterns names of classes to weave; or names of threads, or of the classes that create
 *     them. A {@code *} at the end matches all names with that prefix. An empty list matches
 *     everything.
 */
record Filter(List<String> patterns) {
  static final Filter ALL = new Filter(List.of());

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /**
   * Whether to adopt a new thread named {@code name}. Must be called on the thread that creates it.
   */
  boolean wants(@Nullable String name) {
    if (patterns.isEmpty() || (name != null && matches(name))) {
      return true;
    }
    Class<?> maker = maker();
    return maker != null && matches(maker.getName());
  }

  /** Whether a pattern matches the name of a thread or a class. */
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

  /**
   * Returns the nearest class on the stack that belongs neither to the JDK nor to Heddle, or null.
   */
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
