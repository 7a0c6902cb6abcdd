package io.heddle;

import io.heddle.internal.inspect.Leaks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a goroutine that could never continue, as {@link Scheduler#leaked} found it. The
 * goroutine itself no longer exists, because the garbage collector has collected it.
 *
 * {@snippet :
 * List<LeakedGoroutine> leaked = scheduler.leaked();
 * assertTrue(leaked.isEmpty(), leaked::toString);
 * }
 *
 * @param id the number of the goroutine, as {@link Goroutine#id}
 * @param name the name of the goroutine, or {@code ""} if it had none
 * @param waitReason what the goroutine waited for, as {@link Goroutine#waitReason}
 * @param stack where the goroutine waited, the innermost frame first
 * @param site where the goroutine was started; null if unknown
 */
public record LeakedGoroutine(
    long id,
    String name,
    String waitReason,
    List<StackTraceElement> stack,
    @Nullable StackTraceElement site) {

  static LeakedGoroutine of(Leaks.Leak leak) {
    return new LeakedGoroutine(leak.id(), leak.name(), leak.reason(), leak.stack(), leak.site());
  }

  /** Returns this goroutine in the form of {@link Scheduler#dump}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("goroutine ").append(id);
    if (!name.isEmpty()) {
      text.append(" \"").append(name).append('"');
    }
    text.append(" [").append(waitReason).append(", leaked]:");
    stack.forEach(frame -> text.append("\n\tat ").append(frame));
    return site == null ? text.toString() : text + "\ncreated by " + site;
  }
}
