/**
 * Rank 5: observers of a scheduler. The machine knows only its port {@link
 * io.heddle.internal.sched.MonitorListener}.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.inspect.Inspector}: the observers of one scheduler, behind the port
 *   <li>{@link io.heddle.internal.inspect.Dump}: all goroutines with their states and stacks, as text
 *   <li>{@link io.heddle.internal.inspect.SchedTrace}: a line of figures at regular intervals
 *   <li>{@link io.heddle.internal.inspect.DeadlockDetector}: a main goroutine that can never continue
 *   <li>{@link io.heddle.internal.inspect.ForeignThreads}: threads that could still wake a goroutine
 *   <li>{@link io.heddle.internal.inspect.Leaks}: goroutines that wait for what nothing can reach
 *   <li>{@link io.heddle.internal.inspect.StallDetector}: a runnable goroutine that does not get a P
 *   <li>{@link io.heddle.internal.inspect.HandOffLog}: places in the program that lose their P
 *   <li>{@link io.heddle.internal.inspect.TraceSession}: turns recording on and off
 *   <li>{@link io.heddle.internal.inspect.Invariants}: what must hold while nothing moves, for tests
 *   <li>{@link io.heddle.internal.inspect.DaemonThreads}: starts threads that only observe
 * </ul>
 */
@NullMarked
package io.heddle.internal.inspect;

import org.jspecify.annotations.NullMarked;
