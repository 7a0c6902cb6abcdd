package io.heddle.internal.inspect;

import io.heddle.internal.base.Clock;
import io.heddle.internal.jfr.JfrEvents;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.HandOff;
import io.heddle.internal.sched.M;
import io.heddle.internal.sched.Sched;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the places in the program where goroutines lose their P (the right to run) by force. Logs
 * each place once, at debug level. Unless a method says otherwise, used by sysmon's thread alone.
 */
public final class HandOffLog {
  /*
   * The place is on the stack of the goroutine, which takes some ten microseconds to read, and
   * longer if the goroutine takes long to reach a safepoint. Therefore, after each stack, sysmon
   * reads none for MAX_SHARE times as long as that took. A hand-off in between is counted for the
   * place of the next hand-off for the same reason whose stack is read, so that the sums are right.
   * While JFR records hand-offs, sysmon reads the stack of each.
   */
  private static final int MAX_SHARE = 50;

  /** How many places are counted and logged at most, so that log and memory stay small. */
  private static final int MAX_PLACES = 1_000;

  private static final int MAX_FRAMES = 8;

  private final Sched sched;

  /** The places that were logged. */
  private final Set<Place> told = new HashSet<>();

  /** How many hand-offs are not counted for a place yet. */
  private final Map<HandOff.Reason, Long> unread = new EnumMap<>(HandOff.Reason.class);

  /** The time before which no stack is read. */
  private long next = Clock.now();

  /** Written by sysmon's thread, read by all. */
  private final Map<Place, Long> counts = new ConcurrentHashMap<>();

  HandOffLog(Sched sched) {
    this.sched = sched;
  }

  private record Place(HandOff.Reason reason, StackTraceElement site) {}

  /**
   * A place in the program where goroutines lose their P.
   *
   * @param reason the name of the {@link HandOff.Reason} in lower case
   * @param count how often that happened; an estimate if it happens more than some hundred times
   *     per second
   */
  public record Lost(String reason, StackTraceElement site, long count) {}

  /** Returns the {@code n} places with most hand-offs, the largest count first. For any thread. */
  public List<Lost> most(int n) {
    return counts.entrySet().stream()
        .map(each -> lost(each.getKey(), each.getValue()))
        .sorted(
            Comparator.comparingLong(Lost::count)
                .reversed()
                .thenComparing(each -> each.site().toString()))
        .limit(n)
        .toList();
  }

  private static Lost lost(Place place, long count) {
    return new Lost(word(place.reason()), place.site(), count);
  }

  /** Counts a hand-off, after {@code g} (null if not known), which ran on {@code m}, lost its P. */
  void note(HandOff.Reason reason, M m, @Nullable G g) {
    long start = Clock.now();
    if (g == null || (start - next < 0 && !JfrEvents.wantsHandOffs())) {
      unread.merge(reason, 1L, Long::sum);
      return;
    }
    StackTraceElement[] stack = g.thread().getStackTrace();
    next = start + MAX_SHARE * (Clock.now() - start);
    tell(reason, g, stack);
    if (stack.length == 0) { // g has ended meanwhile
      unread.merge(reason, 1L, Long::sum);
      return;
    }
    Place place = new Place(reason, site(stack));
    count(place);
    if (told.size() < MAX_PLACES && isWanted() && told.add(place)) {
      sched.debug(text(reason, m, g, stack));
    }
  }

  /**
   * Counts a hand-off at {@code place}, and the unread ones for the same reason. Does nothing if
   * {@link #MAX_PLACES} other places have counts.
   */
  private void count(Place place) {
    if (counts.size() < MAX_PLACES || counts.containsKey(place)) {
      Long before = unread.remove(place.reason());
      counts.merge(place, before == null ? 1 : 1 + before, Long::sum);
    }
  }

  /** Writes an event to the JDK's flight recorder, if it wants that. */
  private void tell(HandOff.Reason reason, G g, StackTraceElement[] stack) {
    if (JfrEvents.wantsHandOffs()) {
      Object site = stack.length == 0 ? "" : site(stack);
      JfrEvents.handedOff(sched.name(), g.id(), word(reason), site);
    }
  }

  private static String word(HandOff.Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  /** Whether the user's logger logs at debug level. */
  private static boolean isWanted() {
    return System.getLogger("io.heddle").isLoggable(System.Logger.Level.DEBUG);
  }

  /** Returns the first frame that is not in {@code java.base}, or else the top frame. */
  private static StackTraceElement site(StackTraceElement[] stack) {
    return Stream.of(stack)
        .filter(frame -> !"java.base".equals(frame.getModuleName()))
        .findFirst()
        .orElse(stack[0]);
  }

  private static String text(HandOff.Reason reason, M m, G g, StackTraceElement[] stack) {
    StringBuilder out = new StringBuilder();
    out.append("goroutine ").append(g.id()).append(" lost its P: ");
    out.append(word(reason)).append(" at ").append(site(stack));
    append(out, "\ngoroutine:", stack);
    append(out, "\n" + m.getName() + ":", m.getStackTrace());
    return out.toString();
  }

  private static void append(StringBuilder out, String title, StackTraceElement[] stack) {
    out.append(title);
    Stream.of(stack).limit(MAX_FRAMES).forEach(frame -> out.append("\n\tat ").append(frame));
  }
}
