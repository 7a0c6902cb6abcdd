package io.heddle.internal.explore;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which classes have scheduling points between any two steps: for the agent, if it is there, to see to. */
public final class ExploredClasses {
  private static volatile @Nullable Predicate<String[]> weaver;

  private ExploredClasses() {}

  /** For the agent: from now on it is asked. */
  public static void by(Predicate<String[]> agent) {
    weaver = agent;
  }

  /** From now on also those whose names match; whether that is possible. */
  public static boolean these(String... names) {
    Predicate<String[]> agent = weaver;
    return agent != null && agent.test(names);
  }
}
