/**
 * {@code heddle lab}: the same programs on five thread models, side by side (rule C1).
 *
 * <ul>
 * <li>{@link io.heddle.cli.lab.Lab}: runs the programs and prints the tables
 * <li>{@link io.heddle.cli.lab.LabProgram}: a program, implemented by
 * {@link io.heddle.cli.lab.Order}, {@link io.heddle.cli.lab.Sum}, {@link io.heddle.cli.lab.Find},
 * {@link io.heddle.cli.lab.PingPong}, {@link io.heddle.cli.lab.Hogs} and
 * {@link io.heddle.cli.lab.Reads}
 * <li>{@link io.heddle.cli.lab.ThreadModel}: what a program runs on
 * <li>{@link io.heddle.cli.lab.ModelResult}: the times of one model
 * <li>{@link io.heddle.cli.lab.LabPage}: the results as a page
 * </ul>
 */
@NullMarked
package io.heddle.cli.lab;

import org.jspecify.annotations.NullMarked;
