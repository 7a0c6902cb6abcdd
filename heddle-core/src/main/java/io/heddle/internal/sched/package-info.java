/**
 * The core of a scheduler: goroutines (G), rights to run them (P), the threads that run them (M),
 * and the classes that move goroutines and Ps between Ms.
 *
 * <p>A comment in {@link io.heddle.internal.sched.Sched} has the argument that spans all classes:
 * how a goroutine is submitted, how an M goes to sleep, and why no wakeup is lost. The decisions
 * that the core takes without acting on them are in {@code internal.policy}. The table of contents,
 * in reading order:
 *
 * <p>A scheduler and its Gs, Ps and Ms
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Sched}: a scheduler: what its parts share
 *   <li>{@link io.heddle.internal.sched.SchedConfig}: the configuration of a scheduler
 *   <li>{@link io.heddle.internal.sched.G}: a goroutine: a virtual thread and its executor
 *   <li>{@link io.heddle.internal.sched.P}: the right to run goroutines, and its ownership
 *   <li>{@link io.heddle.internal.sched.M}: an OS thread that runs goroutines; its parts are in
 *       {@code internal.part}
 * </ul>
 *
 * <p>The loop
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.ScheduleLoop}: finds a goroutine and runs it, repeatedly
 *   <li>{@link io.heddle.internal.sched.RunLoop}: runs goroutine after goroutine on the fast path
 *   <li>{@link io.heddle.internal.sched.FindRunnable}: finds work for an M, or releases its P
 *   <li>{@link io.heddle.internal.sched.WorkStealing}: takes work from other Ps
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
 *   <li>{@link io.heddle.internal.sched.BlockingCalls}: releases the P while a call blocks the M
 *   <li>{@link io.heddle.internal.sched.Sysmon}: the monitor thread; retakes Ps kept for too long
 *   <li>{@link io.heddle.internal.sched.Preempt}, {@link io.heddle.internal.sched.Stragglers}: ask
 *       goroutines to yield
 *   <li>{@link io.heddle.internal.sched.HandOff}: gives a P to another M
 *   <li>{@link io.heddle.internal.sched.StopTheWorld}: changes the number of Ps
 * </ul>
 *
 * <p>Time and network
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.Timekeeper}: runs timers; one M sleeps until the next one
 *   <li>{@link io.heddle.internal.sched.NetPolling}: lets goroutines wait for sockets; polls them
 *   <li>{@link io.heddle.internal.sched.SocketHooks}: the hooks that the JDK's sockets call
 * </ul>
 *
 * <p>Life of goroutines
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.GoroutineRegistry}: which goroutines live, and how many
 *   <li>{@link io.heddle.internal.sched.GoroutineList}: the goroutines that one M has started
 *   <li>{@link io.heddle.internal.sched.MCounters}: what one M counts and lists by itself
 *   <li>{@link io.heddle.internal.sched.GoroutineState}: the states that a user sees
 *   <li>{@link io.heddle.internal.sched.Shutdown}: waits for the goroutines, then ends the Ms
 * </ul>
 *
 * <p>Interfaces for packages that use this one
 *
 * <ul>
 *   <li>{@link io.heddle.internal.sched.MonitorListener}: reports to {@code internal.inspect}
 *   <li>{@link io.heddle.internal.sched.SchedCounters}: counts and gauges, for observers
 *   <li>{@link io.heddle.internal.sched.WaitKind}: the groups into which they sort what goroutines
 *       wait for
 *   <li>{@link io.heddle.internal.sched.CpuTimes}: CPU time by creation site and by label; samples
 *       it
 *   <li>{@link io.heddle.internal.sched.Snapshot}: what all Ps and Ms are doing, for observers
 *   <li>{@link io.heddle.internal.sched.ProcView}: what one P is doing, for the MX bean
 *   <li>{@link io.heddle.internal.sched.RunWitness}: proves that a goroutine has not run meanwhile
 *   <li>{@link io.heddle.internal.sched.TraceHooks}: records the events of a trace
 *   <li>{@link io.heddle.internal.sched.Driver}: for the test driver ({@code internal.explore})
 *   <li>{@link io.heddle.internal.sched.SchedulingPoint}: where the driver may switch goroutines
 *   <li>{@link io.heddle.internal.sched.SchedClock}: time and random seeds; from the driver, if any
 * </ul>
 */
@NullMarked
package io.heddle.internal.sched;

import org.jspecify.annotations.NullMarked;
