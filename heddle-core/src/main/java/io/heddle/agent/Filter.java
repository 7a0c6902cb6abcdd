package io.heddle.agent;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects the virtual threads to adopt, or the classes to weave.
 *
 * @param patterns the names of classes to weave; or the names of threads to adopt, or of the
 *     classes that create these threads. A pattern with a {@code *} at the end matches all names
 *     with that prefix. An empty list matches everything.
 * @param tenants maps each pattern that names a scheduler to that scheduler; other patterns are no
 *     keys
 */
record Filter(List<String> patterns, Map<String, Tenant> tenants) {
  static final Filter ALL = new Filter(List.of());

  /** The pattern that {@link #match} returns if everything matches. */
  private static final String ANY = "*";

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  Filter(List<String> patterns) {
    this(patterns, Map.of());
  }

  /** Returns a filter that selects what {@code pattern} matches. */
  static Filter of(String pattern) {
    return new Filter(List.of(pattern));
  }

  /**
   * Whether this filter selects a new thread named {@code name}, which is null if the thread has no
   * name. Must be called on the thread that creates it, because a pattern may match the creating
   * class, which is found on the stack.
   */
  boolean wants(@Nullable String name) {
    return match(name) != null;
  }

  /**
   * Returns the first pattern that matches {@code name}, the name of a new thread or null. If there
   * is none, returns the first pattern that matches the class that creates the thread; null if no
   * pattern matches. Returns {@link #ANY} if there are no patterns. Must be called on the thread
   * that creates the new one.
   */
  @Nullable String match(@Nullable String name) {
    if (patterns.isEmpty()) {
      return ANY;
    }
    String matching = name == null ? null : patternFor(name);
    if (matching != null) {
      return matching;
    }
    Class<?> maker = maker();
    return maker == null ? null : patternFor(maker.getName());
  }

  /**
   * Returns the name of the class that creates a thread now, as {@link #match} finds it; {@code the
   * JDK} if there is none.
   */
  String makerOf() {
    Class<?> maker = maker();
    return maker == null ? "the JDK" : maker.getName();
  }

  /** Whether this filter may select threads for which it names no scheduler. */
  boolean coversMoreThanTenants() {
    return patterns.isEmpty() || !tenants.keySet().containsAll(patterns);
  }

  /**
   * Returns a text about what this filter selects, as in {@code all threads} or {@code com.acme.*}.
   * {@code everything} is the noun after "all", such as {@code threads}.
   */
  String describe(String everything) {
    if (patterns.isEmpty()) {
      return "all " + everything;
    }
    return patterns.stream().map(this::withTenant).collect(Collectors.joining(","));
  }

  private String withTenant(String pattern) {
    Tenant tenant = tenants.get(pattern);
    return tenant == null ? pattern : pattern + ":" + tenant.name();
  }

  /** Whether a pattern matches the name of a thread or a class. */
  boolean matches(String name) {
    return patterns.isEmpty() || patternFor(name) != null;
  }

  private @Nullable String patternFor(String name) {
    for (String pattern : patterns) {
      boolean isPrefix = pattern.endsWith("*");
      if (isPrefix
          ? name.startsWith(pattern.substring(0, pattern.length() - 1))
          : name.equals(pattern)) {
        return pattern;
      }
    }
    return null;
  }

  /**
   * Returns the class of the innermost stack frame that belongs neither to the JDK nor to Heddle;
   * null if there is none.
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

  /** Whether {@code type} is a class of Heddle. */
  private static boolean isOurs(Class<?> type) {
    return type.getProtectionDomain() == Filter.class.getProtectionDomain()
        && type.getPackageName().startsWith("io.heddle");
  }
}
