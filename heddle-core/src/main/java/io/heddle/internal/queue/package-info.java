/**
 * Queues of runnable goroutines, and the sets of idle Ps and Ms. No class here schedules or
 * blocks.
 *
 * <ul>
 *   <li>{@link io.heddle.internal.queue.QueueNode}: an element with an intrusive link
 *   <li>{@link io.heddle.internal.queue.RunQueue}: the ring and {@code runNext} of one P
 *   <li>{@link io.heddle.internal.queue.Overflow}: the destination for half of a full ring
 *   <li>{@link io.heddle.internal.queue.GlobalQueue}: the FIFO queue that all Ps share
 *   <li>{@link io.heddle.internal.queue.StealOrder}: the order in which a thief visits the Ps
 *   <li>{@link io.heddle.internal.queue.IdleSet}: the numbers of the idle Ps
 *   <li>{@link io.heddle.internal.queue.IdleList}: the stack of idle Ms
 * </ul>
 */
@NullMarked
package io.heddle.internal.queue;

import org.jspecify.annotations.NullMarked;
