package io.heddle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run under many schedules, each in a {@link io.heddle.Bubble} of its own: one goroutine at a time, which one a
 * seed decides, and time jumps when all wait. It fails with the first seed under which
 *
 * <ul>
 *   <li>the method throws, or any other goroutine does,
 *   <li>all goroutines wait, and nothing can wake one,
 *   <li>the method returns and leaves goroutines behind that wait, or
 *   <li>there is no end.
 * </ul>
 *
 * <p>The seed is in the message. {@code -Dheddle.seed=} that number, or {@link #seed}, runs it alone, and in the same way.
 *
 * <p>For each seed there is an object of the test class of its own; its {@code @BeforeEach} and {@code @AfterEach} methods run
 * inside, too. (JUnit itself makes one object more, and calls them outside, once.)
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(HeddleExtension.class)
public @interface HeddleTest {
  /** No seed in particular. */
  long ANY = Long.MIN_VALUE;

  /** How many seeds to try: 1, 2, 3, … */
  int seeds() default 1000;

  /** The only seed to try, to see a failure again. */
  long seed() default ANY;

  /** How often a goroutine is chosen, in one run, before that counts as no end. */
  long maxSteps() default 1_000_000;

  /** Whether the method may leave goroutines behind that wait. */
  boolean leftovers() default false;

  /**
   * Classes in which a goroutine may make way before every call and every access to a field, if there is the agent: names, or
   * beginnings of names with {@code *} behind. None named: those in the package of the test.
   */
  String[] explore() default {};
}
