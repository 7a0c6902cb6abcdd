/**
 * Rank 4: the machine: goroutines, Ps and Ms, and the classes that move them.
 *
 * <p>{@link io.heddle.internal.sched.Sched} has the proof that spans all classes: submission, going
 * to sleep, and why no wakeup is lost. The table of contents, in reading order:
 *
 * <p>Roles
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Sched}: a scheduler: what its parts share
 *   <li>{@link io.heddle.internal.sched.SchedConfig}: the configuration of a scheduler
 *   <li>{@link io.heddle.internal.sched.G}: a goroutine: a virtual thread and its executor
 *   <li>{@link io.heddle.internal.sched.P}: the right to run goroutines, and its ownership
 *   <li>{@link io.heddle.internal.sched.M}: an OS thread that runs goroutines. Its parts:
 *       <ul>
 *         <li>{@link io.heddle.internal.sched.Slice}: its time slices
 *         <li>{@link io.heddle.internal.sched.Mailbox}: the P and goroutine that a waker hands it
 *         <li>{@link io.heddle.internal.sched.ThreadLock}: the goroutine it is locked to
 *         <li>{@link io.heddle.internal.sched.MarkedCall}: the blocking calls its goroutine is in
 *         <li>{@link io.heddle.internal.sched.WorkSearch}: its memory of searches for work
 *         <li>{@link io.heddle.internal.sched.KeeperSeat}: how it sleeps as the timekeeper
 *         <li>{@link io.heddle.internal.sched.RunSlots}: what it keeps during a row of runs
 *       </ul>
 * </ul>
 *
 * <p>The loop
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.ScheduleLoop}: finds a goroutine and runs it, repeatedly
 *   <li>{@link io.heddle.internal.sched.RunLoop}: runs goroutine after goroutine on the fast path
 *   <li>{@link io.heddle.internal.sched.FindRunnable}: the search for work, and its end
 *   <li>{@link io.heddle.internal.sched.WorkStealing}: takes work from other Ps
 *   <li>{@link io.heddle.internal.sched.RingWatch}: since when the rings of other Ps stand still
 *   <li>{@link io.heddle.internal.sched.IdleSpin}: for how long an M scans before it sleeps
 * </ul>
 *
 * <p>Submission and idling
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Ready}: makes a goroutine runnable
 *   <li>{@link io.heddle.internal.sched.Spinners}: counts the spinning Ms, and hands out idle Ps
 *   <li>{@link io.heddle.internal.sched.MPool}: starts Ms, lets them sleep, wakes and ends them
 * </ul>
 *
 * <p>Ownership of Ps
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.BlockingCalls}: releases the P for a marked call
 *   <li>{@link io.heddle.internal.sched.Sysmon}: the monitor; retakes Ps that are kept too long
 *   <li>{@link io.heddle.internal.sched.RetakePolicy}, {@link
 *       io.heddle.internal.sched.MonitorPacing}: its policies, as pure code
 *   <li>{@link io.heddle.internal.sched.Preempt}, {@link io.heddle.internal.sched.YieldFlag}, {@link
 *       io.heddle.internal.sched.Stragglers}: ask goroutines to yield
 *   <li>{@link io.heddle.internal.sched.HandOff}: gives a P to another M
 *   <li>{@link io.heddle.internal.sched.StopTheWorld}: changes the number of Ps
 * </ul>
 *
 * <p>Time and network
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Timekeeper}: runs timers; lets one M sleep until the next
 *   <li>{@link io.heddle.internal.sched.NetPolling}: lets goroutines wait for sockets, and polls
 *   <li>{@link io.heddle.internal.sched.SocketHooks}: the hooks that the JDK's sockets call
 * </ul>
 *
 * <p>Life of goroutines
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.GoroutineRegistry}: which goroutines live, and how many
 *   <li>{@link io.heddle.internal.sched.GoroutineList}: the goroutines that one M has started
 *   <li>{@link io.heddle.internal.sched.MCounters}: what one M records by itself
 *   <li>{@link io.heddle.internal.sched.GoroutineState}: the states that a user sees
 *   <li>{@link io.heddle.internal.sched.LastCreationSite}: where an M started its last goroutine
 *   <li>{@link io.heddle.internal.sched.Shutdown}: waits for the goroutines, then ends the Ms
 *   <li>{@link io.heddle.internal.sched.DeferredLog}: messages that must be logged later
 * </ul>
 *
 * <p>Ports for the packages above
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.MonitorListener}: for observers ({@code internal.inspect})
 *   <li>{@link io.heddle.internal.sched.SchedCounters}: counts and gauges, for observers
 *   <li>{@link io.heddle.internal.sched.Snapshot}: what all Ps and Ms are doing, for observers
 *   <li>{@link io.heddle.internal.sched.ProcView}: what one P is doing, for the MX bean
 *   <li>{@link io.heddle.internal.sched.TraceHooks}: records the events of a trace
 *   <li>{@link io.heddle.internal.sched.Driver}: for the test driver ({@code internal.explore})
 *   <li>{@link io.heddle.internal.sched.SchedulingPoint}: where the driver may switch goroutines
 *   <li>{@link io.heddle.internal.sched.SchedClock}: time and random seeds, the driver's if any
 * </ul>
 */
@NullMarked
package io.heddle.internal.sched;

import org.jspecify.annotations.NullMarked;
