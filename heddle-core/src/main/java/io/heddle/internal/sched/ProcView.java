package io.heddle.internal.sched;

/**
 * A P as it was a moment ago; see {@code SchedulerMXBean.Proc}.
 *
 * @param thread {@code ""} if no M has it
 * @param goroutine 0 if none runs there
 */
public record ProcView(
    int number, String state, String thread, long goroutine, int queued, long slices) {
  static ProcView of(P p) {
    M m = p.isIdle() ? null : p.m();
    boolean inUser = p.epochInUser() >= 0;
    G g = m != null && inUser ? m.current() : null;
    return new ProcView(
        p.number,
        m == null ? "idle" : inUser ? "running" : "scheduling",
        m == null ? "" : m.getName(),
        g == null ? 0 : g.id,
        p.runQueue.size(),
        p.ticks());
  }
}
