/**
 * {@code bench}: measures every row for every contender, in turns, each in its own process; writes
 * tables, JSON and a page.
 *
 * <ul>
 * <li>{@link io.heddle.bench.suite.Bench}: the main class; {@link io.heddle.bench.suite.Options}:
 * its options
 * <li>{@link io.heddle.bench.suite.Row}, {@link io.heddle.bench.suite.Figure}: what is measured;
 * {@link io.heddle.bench.suite.Contender}: what is compared
 * <li>{@link io.heddle.bench.suite.Job}, {@link io.heddle.bench.suite.Measurement},
 * {@link io.heddle.bench.suite.Pace}: the processes, and for how long they run
 * <li>{@link io.heddle.bench.suite.Commands}, {@link io.heddle.bench.suite.Toolchains},
 * {@link io.heddle.bench.suite.ChildProcess}: how they are built and started
 * <li>{@link io.heddle.bench.suite.LoadGenerator}: the load on servers
 * <li>{@link io.heddle.bench.suite.Results}, {@link io.heddle.bench.suite.Series},
 * {@link io.heddle.bench.suite.GeometricMean}, {@link io.heddle.bench.suite.Comparison}: the
 * figures
 * <li>{@link io.heddle.bench.suite.ResultTable}, {@link io.heddle.bench.suite.ResultPages},
 * {@link io.heddle.bench.suite.Plots}, {@link io.heddle.bench.suite.MachineInfo},
 * {@link io.heddle.bench.suite.Progress}: the output
 * </ul>
 */
package io.heddle.bench.suite;
