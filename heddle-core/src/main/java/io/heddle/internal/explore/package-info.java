/**
 * The deterministic test driver of {@code io.heddle.Bubble}. Production code never imports it. The
 * scheduler knows only the interface {@link io.heddle.internal.sched.Driver}.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.explore.ExploringDriver}: chooses goroutines, keeps the clock
 *   <li>{@link io.heddle.internal.explore.DrivenLoop}: the loop of the M that the driver drives
 *   <li>{@link io.heddle.internal.explore.DrivenQueue}: takes goroutines that become runnable
 *   <li>{@link io.heddle.internal.explore.ExploredClasses}: classes with a scheduling point before
 *       each call and field access
 * </ul>
 */
@NullMarked
package io.heddle.internal.explore;

import org.jspecify.annotations.NullMarked;
