package io.heddle.internal.sched;

/**
 * The state of a P at some recent moment; see {@code SchedulerMXBean.Proc}.
 *
 * @param thread the name of its M, {@code ""} if no M owns it
 * @param goroutine the id of the goroutine that runs on it, 0 if there is none
 */
public record ProcView(
    int number, String state, String thread, long goroutine, int queued, long slices) {}
