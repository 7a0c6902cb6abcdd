/**
 * The decisions of a scheduler ({@code internal.sched}), without the actions that follow. These
 * classes touch no queue and wake no thread, so that tables of cases test them. The table of
 * contents, in reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.policy.RetakePolicy}: whether sysmon retakes a P
 *   <li>{@link io.heddle.internal.policy.MonitorPacing}: how often sysmon looks, and when it sleeps
 *   <li>{@link io.heddle.internal.policy.IdleSpin}: for how long an idle M scans before it sleeps
 *   <li>{@link io.heddle.internal.policy.RingWatch}: since when no goroutine left the queue of a P
 *   <li>{@link io.heddle.internal.policy.WorkSearch}: what an M remembers of its searches for work
 * </ul>
 */
@NullMarked
package io.heddle.internal.policy;

import org.jspecify.annotations.NullMarked;
