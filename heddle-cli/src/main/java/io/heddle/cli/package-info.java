/**
 * The {@code heddle} command: one class per subcommand, and the parsers of their options.
 *
 * <ul>
 * <li>{@link io.heddle.cli.Heddle}: the main class; runs the subcommand that is named
 * <li>{@link io.heddle.cli.RunCommand}, {@link io.heddle.cli.DemoCommand},
 * {@link io.heddle.cli.LabCommand}, {@link io.heddle.cli.DumpCommand},
 * {@link io.heddle.cli.LeaksCommand}, {@link io.heddle.cli.TopCommand},
 * {@link io.heddle.cli.TraceCommand}, {@link io.heddle.cli.ClusterCommand},
 * {@link io.heddle.cli.BenchCommand}, {@link io.heddle.cli.CompletionCommand},
 * {@link io.heddle.cli.ManCommand}: the subcommands
 * <li>{@link io.heddle.cli.ManPage}: a manual page
 * <li>{@link io.heddle.cli.SchedulerOptions}: the options of {@code run} that are settings of a
 * scheduler
 * <li>{@link io.heddle.cli.UsageErrorHandler}, {@link io.heddle.cli.Spelling}: messages for a wrong
 * command line
 * <li>{@link io.heddle.cli.WholeNumber}, {@link io.heddle.cli.Pid}, {@link io.heddle.cli.Procs},
 * {@link io.heddle.cli.Moment}: parsers of option values
 * <li>{@link io.heddle.cli.ScreenFactory}, {@link io.heddle.cli.Version}: what picocli asks for
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package io.heddle.cli;
