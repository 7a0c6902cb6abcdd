package io.heddle.internal.sched;

/**
 * What a P is doing, for observers; see {@code SchedulerMXBean.Proc}. The values need not belong to
 * the same moment.
 *
 * @param thread the name of its M, {@code ""} if no M owns it
 * @param goroutine the id of the goroutine that runs on it, 0 if there is none
 */
public record ProcView(
    int number, String state, String thread, long goroutine, int queued, long slices) {}
