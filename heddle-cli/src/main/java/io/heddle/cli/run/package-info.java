/**
 * {@code heddle run}: builds the command line of the program's JVM, and runs it.
 *
 * <ul>
 * <li>{@link io.heddle.cli.run.Program}: a source file, a jar or a class
 * <li>{@link io.heddle.cli.run.JvmCommandLine}: the command line of its JVM
 * <li>{@link io.heddle.cli.run.LibraryLocation}: where the library's jar is
 * <li>{@link io.heddle.cli.run.ProcessReplacement}, {@link io.heddle.cli.run.ChildProcess}: how the
 * command line is run
 * <li>{@link io.heddle.cli.run.ShellWords}: quoting for a shell
 * </ul>
 */
@NullMarked
package io.heddle.cli.run;

import org.jspecify.annotations.NullMarked;
