/**
 * Rank 4: the machine. Goroutines, Ps and Ms, and what moves them.
 *
 * <p>The table of contents, in reading order:
 *
 * <p>Roles
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Sched}: a scheduler: what its parts share, and the promise of work
 *       conservation
 *   <li>{@link io.heddle.internal.sched.SchedConfig}: what it is made with
 *   <li>{@link io.heddle.internal.sched.G}: a goroutine: a virtual thread and its states
 *   <li>{@link io.heddle.internal.sched.P}: the right to run a goroutine, and who owns it
 *   <li>{@link io.heddle.internal.sched.M}: an OS thread. Its parts: {@link
 *       io.heddle.internal.sched.Slice}, {@link io.heddle.internal.sched.Mailbox}, {@link
 *       io.heddle.internal.sched.ThreadLock}, {@link io.heddle.internal.sched.MarkedCall}, {@link
 *       io.heddle.internal.sched.WorkSearch}, {@link io.heddle.internal.sched.KeeperSeat}
 * </ul>
 *
 * <p>The loop
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.ScheduleLoop}: find a goroutine, run it, again
 *   <li>{@link io.heddle.internal.sched.RunLoop}: goroutine after goroutine without the scheduler
 *   <li>{@link io.heddle.internal.sched.FindRunnable}: where an M looks for work, and how it gives up
 *   <li>{@link io.heddle.internal.sched.WorkStealing}, {@link io.heddle.internal.sched.RingWatch}: taking
 *       work from other Ps
 *   <li>{@link io.heddle.internal.sched.IdleSpin}: for how long an M looks again before it sleeps
 * </ul>
 *
 * <p>Submission and idling
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Ready}: makes a goroutine runnable
 *   <li>{@link io.heddle.internal.sched.Spinners}: the Ms that look for work, and the idle Ps
 *   <li>{@link io.heddle.internal.sched.MPool}: Ms are started, sleep, are woken with a P, and end
 * </ul>
 *
 * <p>Ownership of Ps
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.BlockingCalls}: a goroutine announces that it blocks its M
 *   <li>{@link io.heddle.internal.sched.Sysmon}: the monitor retakes Ps from goroutines that keep them
 *   <li>{@link io.heddle.internal.sched.RetakePolicy}, {@link io.heddle.internal.sched.MonitorPacing}: its
 *       policies, as pure code
 *   <li>{@link io.heddle.internal.sched.Preempt}, {@link io.heddle.internal.sched.YieldFlag}, {@link
 *       io.heddle.internal.sched.Stragglers}: ask goroutines to yield
 *   <li>{@link io.heddle.internal.sched.HandOff}: a P goes to another M
 *   <li>{@link io.heddle.internal.sched.StopTheWorld}: changes the number of Ps
 * </ul>
 *
 * <p>Time and network
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Timekeeper}: runs timers, and lets one M sleep until the next
 *   <li>{@link io.heddle.internal.sched.NetPolling}: asks which sockets are ready
 *   <li>{@link io.heddle.internal.sched.SocketHooks}: how the JDK's sockets come to that
 * </ul>
 *
 * <p>Life of goroutines
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.SchedCounters}, {@link io.heddle.internal.sched.MCounters}, {@link
 *       io.heddle.internal.sched.GoroutineList}: which goroutines live, and the counts
 *   <li>{@link io.heddle.internal.sched.GoroutineState}: the states that a user sees
 *   <li>{@link io.heddle.internal.sched.Shutdown}: the end of a scheduler
 *   <li>{@link io.heddle.internal.sched.DeferredLog}: messages that must not be logged where they arise
 *   <li>{@link io.heddle.internal.sched.LastCreationSite}: where an M started the last goroutine
 * </ul>
 *
 * <p>Ports for what lies above
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.MonitorListener}: observers ({@code internal.inspect})
 *   <li>{@link io.heddle.internal.sched.Driver}, {@link io.heddle.internal.sched.SchedulingPoint}, {@link
 *       io.heddle.internal.sched.SchedClock}: the test driver ({@code internal.explore})
 *   <li>{@link io.heddle.internal.sched.Snapshot}, {@link io.heddle.internal.sched.ProcView}: what Ps and Ms
 *       are doing
 *   <li>{@link io.heddle.internal.sched.TraceHooks}: what an event trace is told
 * </ul>
 */
@NullMarked
package io.heddle.internal.sched;

import org.jspecify.annotations.NullMarked;
