/**
 * {@code heddle top}: readings of a scheduler, and their presentation.
 *
 * <ul>
 * <li>{@link io.heddle.cli.top.Top}: the loop that reads and draws
 * <li>{@link io.heddle.cli.top.SchedulerReading}: the figures of one moment
 * <li>{@link io.heddle.cli.top.TopView}: the figures as text
 * </ul>
 */
@NullMarked
package io.heddle.cli.top;

import org.jspecify.annotations.NullMarked;
