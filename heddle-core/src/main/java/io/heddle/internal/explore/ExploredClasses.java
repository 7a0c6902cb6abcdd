package io.heddle.internal.explore;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agent, if it is loaded, to insert scheduling points between all steps of some classes.
 */
public final class ExploredClasses {
  private static volatile @Nullable Predicate<String[]> weaver;

  private ExploredClasses() {}

  /** Registers the agent's function that rewrites the classes of given names. */
  public static void registerAgent(Predicate<String[]> agent) {
    weaver = agent;
  }

  /**
   * Adds the classes of matching names; returns false if there is no agent, or the agent cannot
   * rewrite these classes.
   */
  public static boolean add(String... names) {
    Predicate<String[]> agent = weaver;
    return agent != null && agent.test(names);
  }
}
