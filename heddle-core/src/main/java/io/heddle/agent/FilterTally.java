package io.heddle.agent;

import io.heddle.internal.base.ProcessStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records whether the filter of {@code adopt} has selected a thread, and examples of threads that
 * it has not selected. A filter that selects no thread is probably misspelt, which users would not
 * notice otherwise. Therefore a line at the end of the program reports this, and {@code heddle
 * doctor} shows it at any time.
 */
final class FilterTally {
  /*
   * field     written by              read by                      mode
   * matched   creators of threads     creators, the hook at exit   volatile; never set to false
   * examples  creators of threads     creators, the hook at exit   compare-and-set of a new list
   *
   * The status is the fact ProcessStatus.FILTER. It is published a few times at most: once for each
   * example, and when a creator finds the first match. If a thread matched, the last status is
   * "matched":
   *   1. The creator whose thread matches sets the field, then publishes "matched".
   *   2. Another creator publishes an example, then reads the field. If the field is set, the
   *      creator publishes "matched".
   * If the example of step 2 replaces the "matched" of step 1, the field was set before that. Then
   * step 2 sees that it is set.
   *
   * Checked by: AdoptTest.
   */
  private static final int MOST_EXAMPLES = 5;

  private final Filter filter;
  private final AtomicReference<List<String>> examples = new AtomicReference<>(List.of());
  private volatile boolean matched;

  FilterTally(Filter filter) {
    this.filter = filter;
    this.matched = filter.patterns().isEmpty();
  }

  /**
   * Arranges that a line on standard error reports at the end of the program if no thread matched.
   */
  void reportAtExit() {
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("heddle-filter-end").unstarted(this::report));
  }

  private void report() {
    String report = text();
    if (report != null) {
      System.err.println(report);
    }
  }

  /**
   * Returns the line of the report; null if a thread matched, or if there was no thread that the
   * filter could match.
   */
  @Nullable String text() {
    List<String> seen = examples.get();
    return matched || seen.isEmpty()
        ? null
        : "heddle: adopt=%s matched no virtual thread, so none was adopted; there were %s"
            .formatted(filter.describe("threads"), String.join(", ", seen));
  }

  /**
   * Records what the filter has decided about a new thread. Called on the thread that creates the
   * new one.
   *
   * @param pattern the pattern that matches; null if none does
   * @param name the name of the new thread; null if it has none
   */
  void record(@Nullable String pattern, @Nullable String name) {
    if (matched) {
      return;
    }
    if (pattern != null) {
      matched = true;
      ProcessStatus.put(ProcessStatus.FILTER, "matched");
    } else {
      unmatched(name == null ? "" : name);
    }
  }

  private void unmatched(String name) {
    String group = quoted(name.replaceAll("[0-9]+", "*"));
    List<String> seen = examples.get();
    if (seen.size() == MOST_EXAMPLES || seen.stream().anyMatch(each -> each.startsWith(group))) {
      return;
    }
    String example = group + " of " + filter.makerOf();
    List<String> more = Stream.concat(seen.stream(), Stream.of(example)).toList();
    if (examples.compareAndSet(seen, more)) { // if not, a later thread of this name is recorded
      ProcessStatus.put(ProcessStatus.FILTER, String.join(", ", more));
      if (matched) {
        ProcessStatus.put(ProcessStatus.FILTER, "matched");
      }
    }
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }
}
