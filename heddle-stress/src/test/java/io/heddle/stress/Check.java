package io.heddle.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How Lincheck is asked: corners first, then random scenarios, all in model checking mode. */
public final class Check {
  /** How many interleavings of each scenario: several times what any twin needs to be caught. */
  private static final int INTERLEAVINGS = 200;

  /** How many random scenarios; {@code -Pstress} draws more. */
  private static final int RANDOM = Integer.getInteger("heddle.lincheck.scenarios");

  private Check() {}

  /** The scene behaves as {@code oneThread} does, in every corner and in random scenarios. */
  public static void passes(Class<?> scene, Class<?> oneThread, Corner... corners) {
    passesCorners(scene, oneThread, corners);
    new ModelCheckingOptions()
        .iterations(RANDOM)
        .invocationsPerIteration(INTERLEAVINGS)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(4)
        .actorsAfter(2)
        .sequentialSpecification(oneThread)
        .check(scene);
  }

  /** The scene behaves as {@code oneThread} does, in every corner. */
  public static void passesCorners(Class<?> scene, Class<?> oneThread, Corner... corners) {
    for (Corner corner : corners) {
      in(corner, scene, oneThread).check(scene);
    }
  }

  /** The corner shows that the scene, a broken twin, does not behave as {@code oneThread} does. */
  public static void fails(Class<?> scene, Class<?> oneThread, Corner corner) {
    assertThatThrownBy(() -> in(corner, scene, oneThread).check(scene))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions in(Corner corner, Class<?> scene, Class<?> oneThread) {
    return new ModelCheckingOptions()
        .iterations(0)
        .invocationsPerIteration(INTERLEAVINGS)
        .sequentialSpecification(oneThread)
        .addCustomScenario(corner.of(scene));
  }
}
