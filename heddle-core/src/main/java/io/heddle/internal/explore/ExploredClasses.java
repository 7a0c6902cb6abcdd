package io.heddle.internal.explore;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent, if it is loaded, to insert scheduling points into some classes, before each call
 * and each field access. At such a point a goroutine in a bubble may be switched.
 */
public final class ExploredClasses {
  private static volatile @Nullable Predicate<String[]> weaver;

  private ExploredClasses() {}

  /**
   * Registers the function of the agent that rewrites the classes with the given names. The
   * function returns false if it cannot rewrite them.
   */
  public static void registerAgent(Predicate<String[]> agent) {
    weaver = agent;
  }

  /**
   * Inserts scheduling points into the classes with these names. A name that ends with {@code *}
   * stands for all classes whose names begin with the part before it. Returns false if there is no
   * agent, or the agent cannot rewrite these classes.
   */
  public static boolean add(String... names) {
    Predicate<String[]> agent = weaver;
    return agent != null && agent.test(names);
  }
}
