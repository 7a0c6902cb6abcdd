package io.heddle.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Runs Lincheck in model checking mode: first fixed scenarios, then random ones. */
public final class Check {
  /** The number of interleavings per scenario: several times what any twin needs to be caught. */
  private static final int INTERLEAVINGS = 200;

  /** The number of random scenarios; {@code -Pstress} runs more. */
  private static final int RANDOM = Integer.getInteger("heddle.lincheck.scenarios");

  private Check() {}

  /**
   * Checks that the scene behaves like {@code oneThread} in every fixed scenario and in random
   * ones.
   */
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

  /** Checks that the scene behaves like {@code oneThread} in every fixed scenario. */
  public static void passesCorners(Class<?> scene, Class<?> oneThread, Corner... corners) {
    for (Corner corner : corners) {
      in(corner, scene, oneThread).check(scene);
    }
  }

  /**
   * Checks that the fixed scenario shows that the scene, a broken twin, does not behave like
   * {@code oneThread}.
   */
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
