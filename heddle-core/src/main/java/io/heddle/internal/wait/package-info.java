/**
 * Parking and wait queues, for goroutines and all other threads.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.wait.Parking}: park and unpark, for waits in a loop
 *   <li>{@link io.heddle.internal.wait.WaitState}: one thread's wait, which at most one event ends
 *   <li>{@link io.heddle.internal.wait.WaitNode}: the place of that wait in one queue; Go's {@code
 *       sudog}
 *   <li>{@link io.heddle.internal.wait.WaitQueue}: the waiters of one channel or lock, in FIFO
 *       order
 *   <li>{@link io.heddle.internal.wait.Sleep}: a goroutine's sleep
 *   <li>{@link io.heddle.internal.wait.TimedPark}: the JDK's timed parks as timers of the scheduler
 * </ul>
 */
@NullMarked
package io.heddle.internal.wait;

import org.jspecify.annotations.NullMarked;
