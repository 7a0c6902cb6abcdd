package io.heddle.internal.sched;

/**
 * What a P is doing, for observers; see {@code SchedulerMXBean.Proc}. The values need not belong to
 * the same moment.
 *
 * @param state {@code idle}, {@code running} (its M runs user code) or {@code scheduling}
 * @param thread the name of its M, {@code ""} if no M owns it
 * @param goroutine the id of the goroutine that runs on it, 0 if there is none
 * @param queued how many goroutines are in its queue, {@code runNext} included
 * @param slices how many time slices were begun with it
 */
public record ProcView(
    int number, String state, String thread, long goroutine, int queued, long slices) {}
