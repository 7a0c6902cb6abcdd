/**
 * {@code heddle demo}: each section shows one property of the scheduler, with figures measured
 * while it runs.
 *
 * <ul>
 * <li>{@link io.heddle.cli.demo.Demo}: plays the sections; {@link io.heddle.cli.demo.DemoSize} says
 * how much work they do
 * <li>{@link io.heddle.cli.demo.Section}: one part of the demo, implemented by
 * {@link io.heddle.cli.demo.Introduction}, {@link io.heddle.cli.demo.OrderSection},
 * {@link io.heddle.cli.demo.StealingSection}, {@link io.heddle.cli.demo.RaceSection},
 * {@link io.heddle.cli.demo.ParkedSection}, {@link io.heddle.cli.demo.HogsSection} and
 * {@link io.heddle.cli.demo.NextSteps}
 * <li>{@link io.heddle.cli.demo.OrderProgram}, {@link io.heddle.cli.demo.Burst},
 * {@link io.heddle.cli.demo.SpawnTiming}: the programs that the sections run
 * <li>{@link io.heddle.cli.demo.Runner}, {@link io.heddle.cli.demo.RaceResult},
 * {@link io.heddle.cli.demo.Elapsed}, {@link io.heddle.cli.demo.Progress}: the race between Heddle
 * and the JDK
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cli.demo;
