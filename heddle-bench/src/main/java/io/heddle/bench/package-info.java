/**
 * The main class of {@code benchmarks.jar}, and the JMH benchmarks that compare Heddle's scheduler
 * with the JDK's.
 *
 * <ul>
 *   <li>{@link io.heddle.bench.Main}: selects the part by the first argument. The parts are in the
 *       packages {@code suite}, {@code channels}, {@code cluster}, {@code weaving} and, with a main
 *       class of its own, {@code echo}
 *   <li>{@link io.heddle.bench.Report}: runs the JMH benchmarks of this package, in turns
 *   <li>{@link io.heddle.bench.SchedulerBenchmarks}: these benchmarks; {@link
 *       io.heddle.bench.OneProc} and {@link io.heddle.bench.TwoProcs} give the number of Ps
 *   <li>{@code SchedulerWorkloads}, {@code VirtualThreadScheduler}: what they measure, and on which
 *       scheduler
 *   <li>{@link io.heddle.bench.Floor}, {@link io.heddle.bench.Reuse}, {@link
 *       io.heddle.bench.SleepLateness}: measurements that are started by hand
 *   <li>{@link io.heddle.bench.Json}: reads and writes the results
 * </ul>
 */
package io.heddle.bench;
