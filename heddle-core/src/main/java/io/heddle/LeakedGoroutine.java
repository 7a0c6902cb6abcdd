package io.heddle;

import io.heddle.internal.inspect.Leaks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine that could never go on: see {@link Scheduler#leaked}.
 *
 * @param name {@code ""} if it had none
 * @param waitReason for what it waited
 * @param stack where it waited
 * @param site where it was started, if that is known
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

  /** As a dump shows it. */
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
