package io.heddle.internal.jdk;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Map;

/**
 * A way to change classes of the JDK: {@link #byAgent} for an agent, {@link #beforeLoading} for a
 * launcher.
 */
public sealed interface ClassChanges permits Retransformation, EarlyDefinition {
  /** Changes classes that may be loaded already. This needs an agent. */
  static ClassChanges byAgent(Instrumentation instrumentation) {
    return new Retransformation(instrumentation);
  }

  /**
   * Changes classes that are not loaded yet. This needs no agent. A JVM without an agent does not
   * report each switch of virtual threads to JVMTI, so a switch takes less time.
   */
  static ClassChanges beforeLoading() {
    return new EarlyDefinition();
  }

  /**
   * Applies {@code changes}, for the rest of the life of the JVM.
   *
   * @param in a lookup in the package of the classes
   * @param holder the class of Heddle to which every changed class refers, with slashes. An agent
   *     leaves a class file that already refers to {@code holder} as it is.
   * @param changes the change of each class, by the name of the class, with dots. A change may be
   *     applied several times, on any thread.
   * @throws ReflectiveOperationException if one of the changes fails. An agent then leaves all
   *     classes as before. Without an agent some classes may have been changed.
   */
  void apply(MethodHandles.Lookup in, String holder, Map<String, ClassChange> changes)
      throws ReflectiveOperationException;
}
