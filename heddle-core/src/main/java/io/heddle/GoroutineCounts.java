package io.heddle;

import io.heddle.internal.sched.GoroutineState;
import io.heddle.internal.sched.SchedCounters;
import io.heddle.internal.sched.WaitKind;

/**
 * The number of goroutines of a {@link Scheduler} in each state: see
 * {@link Scheduler#goroutineCounts}. The goroutines run on while they are counted one by one. So a
 * goroutine that changes its state meanwhile may be missing, or be counted in its former state.
 *
 * @param running the number that run
 * @param runnable the number that could run and wait for a P
 * @param syscall the number in {@link Go#blocking}, or in a call that the JDK marks as blocking
 * @param waiting the number that wait, for whatever reason; the six following numbers are its parts
 * @param channel the number that wait for channels: send, receive, select
 * @param lock the number that wait for a mutex, a monitor, a semaphore, or a lock of the JDK
 * @param event the number that wait for a wait group, a condition, a latch, a future, or any other
 *     object
 * @param sleep the number that sleep, or that park with a time limit and without a blocker object
 * @param io the number that wait for sockets, with the agent; without the agent such goroutines
 *     count as {@code other}, or as {@code sleep} if they have a time limit
 * @param other the number that park without a time limit and without a blocker object
 */
public record GoroutineCounts(
    int running,
    int runnable,
    int syscall,
    int waiting,
    int channel,
    int lock,
    int event,
    int sleep,
    int io,
    int other) {

  static GoroutineCounts of(SchedCounters.Tally tally) {
    return new GoroutineCounts(
        tally.in(GoroutineState.RUNNING),
        tally.in(GoroutineState.RUNNABLE),
        tally.in(GoroutineState.SYSCALL),
        tally.in(GoroutineState.WAITING),
        tally.in(WaitKind.CHANNEL),
        tally.in(WaitKind.LOCK),
        tally.in(WaitKind.EVENT),
        tally.in(WaitKind.SLEEP),
        tally.in(WaitKind.IO),
        tally.in(WaitKind.OTHER));
  }
}
