/**
 * Timers. No class here reads a clock or schedules.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.timer.Deadline}: a time and the action at that time
 *   <li>{@link io.heddle.internal.timer.TimerHeap}: the deadlines of one owner, such as a P,
 *       ordered by time
 *   <li>{@code HeapArray}: the array heap inside a {@code TimerHeap}
 * </ul>
 */
@NullMarked
package io.heddle.internal.timer;

import org.jspecify.annotations.NullMarked;
