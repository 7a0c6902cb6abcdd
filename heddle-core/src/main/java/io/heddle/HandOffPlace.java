package io.heddle;

import io.heddle.internal.inspect.HandOffLog;

/**
 * A place in the program where goroutines lose their P (processor, the right to run) by force, as
 * {@link Scheduler#handOffPlaces} finds it: the innermost frame of the stack that does not belong
 * to the JDK.
 *
 * @param reason as in {@link HandOffs}: {@code computing}, {@code native} or {@code pinned}
 * @param place the class, method, file and line
 * @param count how often since the scheduler was made; an estimate if goroutines lose their P more
 *     than some hundred times per second
 */
public record HandOffPlace(String reason, String place, long count) {
  static HandOffPlace of(HandOffLog.Lost lost) {
    return new HandOffPlace(lost.reason(), lost.site().toString(), lost.count());
  }
}
