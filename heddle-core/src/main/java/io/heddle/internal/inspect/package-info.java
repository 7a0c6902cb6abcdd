/**
 * Observers of a scheduler. The scheduler itself (package {@code sched}) knows only the interface
 * {@link io.heddle.internal.sched.MonitorListener}.
 *
 * <p>In reading order:
 *
 * <ul>
 *   <li>{@link io.heddle.internal.inspect.Inspector}: the observers of one scheduler
 *   <li>{@link io.heddle.internal.inspect.Dump}: all goroutines as text, with states and stacks
 *   <li>{@link io.heddle.internal.inspect.Usage}: the sections of a dump about CPU time and places
 *   <li>{@link io.heddle.internal.inspect.Profile}: a wall-clock profile of all goroutines
 *   <li>{@link io.heddle.internal.inspect.SchedTrace}: a line of figures at regular intervals
 *   <li>{@link io.heddle.internal.inspect.DeadlockDetector}: main goroutines that cannot continue
 *   <li>{@link io.heddle.internal.inspect.ForeignThreads}: threads that could wake a goroutine
 *   <li>{@link io.heddle.internal.inspect.Leaks}: goroutines that wait for objects that no other
 *       thread can reach
 *   <li>{@link io.heddle.internal.inspect.StuckChecks}: the checks of a running program, on a
 *       {@link io.heddle.internal.inspect.CheckThread}
 *   <li>{@link io.heddle.internal.inspect.WaitCycles}: goroutines that wait for each other
 *   <li>{@link io.heddle.internal.inspect.LeakSearch}: like {@code Leaks}, and leaves the
 *       goroutines as they are
 *   <li>{@link io.heddle.internal.inspect.StuckReport}: a report of one goroutine; {@link
 *       io.heddle.internal.inspect.CheckResults}: the last reports; {@link
 *       io.heddle.internal.inspect.StuckText}: the reports in a dump
 *   <li>{@link io.heddle.internal.inspect.LongWaitSite}: goroutines that have waited long, by
 *       creation site
 *   <li>{@link io.heddle.internal.inspect.StallDetector}: runnable goroutines that do not run
 *   <li>{@link io.heddle.internal.inspect.HandOffLog}: places in the program that lose their P
 *   <li>{@link io.heddle.internal.inspect.TraceSession}: turns recording on and off
 *   <li>{@link io.heddle.internal.inspect.Invariants}: facts that must hold while every M sleeps,
 *       for tests
 *   <li>{@link io.heddle.internal.inspect.ContainerFollower}: lets schedulers follow the limits of
 *       the container
 *   <li>{@link io.heddle.internal.inspect.DaemonThreads}: starts threads that only observe
 * </ul>
 */
@NullMarked
package io.heddle.internal.inspect;

import org.jspecify.annotations.NullMarked;
