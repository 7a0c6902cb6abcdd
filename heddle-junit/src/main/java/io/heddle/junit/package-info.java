/**
 * Tests of concurrent code under many schedules, each of which can be repeated.
 *
 * <ul>
 *   <li>{@link io.heddle.junit.HeddleTest}: the annotation for such a test.
 *   <li>{@link io.heddle.junit.SeedFailure}: the failure of such a test, which names its seed.
 * </ul>
 *
 * <p>The package-private classes are {@code HeddleExtension}, which connects the annotation to
 * JUnit, and {@code Search}, which tries the seeds.
 */
@org.jspecify.annotations.NullMarked
package io.heddle.junit;
