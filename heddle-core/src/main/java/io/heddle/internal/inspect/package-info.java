/**
 * Rank 5: observers of a scheduler. The machine knows only its port {@link
 * io.heddle.internal.sched.MonitorListener}.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.inspect.Inspector}: the observers of one scheduler
 *   <li>{@link io.heddle.internal.inspect.Dump}: all goroutines as text, with states and stacks
 *   <li>{@link io.heddle.internal.inspect.SchedTrace}: a line of figures at regular intervals
 *   <li>{@link io.heddle.internal.inspect.DeadlockDetector}: main goroutines that cannot continue
 *   <li>{@link io.heddle.internal.inspect.ForeignThreads}: threads that could wake a goroutine
 *   <li>{@link io.heddle.internal.inspect.Leaks}: goroutines that wait for what nothing can reach
 *   <li>{@link io.heddle.internal.inspect.StallDetector}: runnable goroutines that do not run
 *   <li>{@link io.heddle.internal.inspect.HandOffLog}: places in the program that lose their P
 *   <li>{@link io.heddle.internal.inspect.TraceSession}: turns recording on and off
 *   <li>{@link io.heddle.internal.inspect.Invariants}: what holds while nothing moves, for tests
 *   <li>{@link io.heddle.internal.inspect.DaemonThreads}: starts threads that only observe
 * </ul>
 */
@NullMarked
package io.heddle.internal.inspect;

import org.jspecify.annotations.NullMarked;
