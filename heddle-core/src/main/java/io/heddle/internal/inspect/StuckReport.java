package io.heddle.internal.inspect;

import io.heddle.internal.sched.G;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of a goroutine that waits for ever or very long. It does not refer to the goroutine.
 *
 * @param scheduler the name of its scheduler
 * @param id its number
 * @param name its name; may be empty
 * @param reason why it waits
 * @param nanos about how long it has waited
 * @param holder the lock that it waits for and the goroutine that holds it; else empty
 * @param stack where it waits, the innermost frame first; empty if it was not read
 * @param site where it was started; null if unknown
 */
public record StuckReport(
    String scheduler,
    long id,
    String name,
    String reason,
    long nanos,
    String holder,
    List<StackTraceElement> stack,
    @Nullable StackTraceElement site) {

  static StuckReport of(G g, String holder, boolean withStack) {
    return new StuckReport(
        g.sched().name(),
        g.id(),
        g.thread().getName(),
        g.reason(),
        g.nanosSinceLastRun(),
        holder,
        withStack ? List.of(g.thread().getStackTrace()) : List.of(),
        g.site());
  }

  /** Returns number, name and wait reason on one line. */
  public String title() {
    return "goroutine " + id + (name.isEmpty() ? "" : " \"" + name + "\"") + " [" + reason + "]";
  }
}
