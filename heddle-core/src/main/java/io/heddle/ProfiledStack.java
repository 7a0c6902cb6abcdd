package io.heddle;

import io.heddle.internal.inspect.Profile;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The goroutines that had the same state and stack in a {@linkplain Scheduler#profile profile}, and
 * the same labels and creation site.
 *
 * @param state what they waited for, as {@link Goroutine#waitReason}; or another state in one word:
 *     {@code running}, {@code runnable} or {@code syscall}
 * @param site where they were created, or {@code ""}
 * @param labels their {@linkplain Go#label labels}
 * @param frames the stack, the innermost frame first, as {@code
 *     java.lang.Thread.run(Thread.java:9)}
 * @param samples how often a goroutine was seen in this state with this stack
 * @param nanos the time that these goroutines together spent in this state with this stack, in
 *     nanoseconds. If a goroutine lives throughout a profile, its times in all stacks add up to the
 *     duration of the profile
 */
public record ProfiledStack(
    String state,
    String site,
    Map<String, String> labels,
    List<String> frames,
    long samples,
    long nanos) {

  static ProfiledStack of(Profile.Stack stack) {
    return new ProfiledStack(
        stack.state(),
        stack.site(),
        stack.labels(),
        stack.frames().stream().map(ProfiledStack::text).toList(),
        stack.samples(),
        stack.nanos());
  }

  /**
   * Returns {@code frame} without class loader, module and version, because tools that read
   * profiles do not expect them.
   */
  private static String text(StackTraceElement frame) {
    return Stream.of(frame.toString().split("/", -1)).reduce("", (_, last) -> last);
  }
}
