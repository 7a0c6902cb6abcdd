package io.heddle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a JUnit test of concurrent code that runs under many schedules, each in a
 * {@link io.heddle.Bubble} of its own. One goroutine runs at a time, a seed decides which, and time
 * jumps when all of them wait.
 *
 * {@snippet :
 * class CounterTest {
 *   int count;
 *
 *   @HeddleTest(seeds = 1000)
 *   void everyIncrementCounts() throws InterruptedException {
 *     WaitGroup both = new WaitGroup();
 *     both.go(() -> count++);             // with the agent, fails: the two may interleave
 *     both.go(() -> count++);
 *     both.await();
 *     assertEquals(2, count);
 *   }
 * }
 * }
 *
 * <p>The test fails with the first seed under which
 *
 * <ul>
 *   <li>the method throws, or any other goroutine does,
 *   <li>all goroutines wait, and nothing can wake one,
 *   <li>the method returns and leaves goroutines behind that wait, or
 *   <li>the run does not end within {@link #maxSteps}.
 * </ul>
 *
 * <p>The message of the {@link SeedFailure} names the seed. {@code -Dheddle.seed=} with that
 * number, or {@link #seed}, runs that seed alone, and in the same way.
 *
 * <p>Each seed gets a new object of the test class. Its {@code @BeforeEach} and {@code @AfterEach}
 * methods run inside the bubble, too. (JUnit itself makes one more object and calls those methods
 * once, outside.)
 *
 * <p>The method must have no parameters. With the agent, {@code -javaagent:heddle.jar}, goroutines
 * switch between any two steps of the {@linkplain #explore explored} classes. Without it, they
 * switch only where Heddle or the JDK makes them wait.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(HeddleExtension.class)
public @interface HeddleTest {
  /** The default of {@link #seed}: no particular seed. */
  long ANY = Long.MIN_VALUE;

  /**
   * Returns the number of seeds to try: 1, 2, 3 and so on.
   *
   * @return the number of seeds, 1 or more
   */
  int seeds() default 1000;

  /**
   * Returns the only seed to try, to repeat a failure. The system property {@code heddle.seed}
   * takes precedence.
   *
   * @return the seed, or {@link #ANY}
   */
  long seed() default ANY;

  /**
   * Returns how many steps a run may take before it counts as endless. In a step one goroutine is
   * chosen to continue.
   *
   * @return the largest number of steps in a run
   */
  long maxSteps() default 1_000_000;

  /**
   * Returns whether the method may leave goroutines behind that wait.
   *
   * @return whether waiting goroutines may be left
   */
  boolean leftovers() default false;

  /**
   * Returns the classes in which a goroutine may yield before every call and every field access,
   * which needs the agent. Default: the classes in the package of the test.
   *
   * @return names of classes, or beginnings of names followed by {@code *}
   */
  String[] explore() default {};
}
