package io.heddle.internal.sched;

/**
 * A P as it was a moment ago; see {@code SchedulerMXBean.Proc}.
 *
 * @param thread {@code ""} if no M has it
 * @param goroutine 0 if none runs there
 */
public record ProcView(
    int number, String state, String thread, long goroutine, int queued, long slices) {}
