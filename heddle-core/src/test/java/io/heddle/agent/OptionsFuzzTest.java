package io.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Fuzz;
import io.heddle.HangGuard;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any text after {@code -javaagent:heddle.jar=} is parsed, or is rejected by a message that states
 * what is allowed.
 */
@HangGuard
class OptionsFuzzTest {
  private static final String[] WORDS = {
    "adopt",
    "preempt",
    "procs",
    "timeslice",
    "maxthreads",
    "schedtrace",
    "trace",
    "flight",
    "dashboard",
    "adopt=com.acme.*",
    "preempt=",
    "procs=4",
    ",",
    "=",
    "*",
    ".",
    "com.acme.A",
    "$",
    ":",
    ":web(procs=",
    ":3(block,5ms)",
    "limit=",
    "(",
    ")"
  };

  @Test
  void anyTextIsParsedOrRejected() {
    int refused = 0;
    int cases = Fuzz.cases(getClass(), 50_000);
    for (int i = 0; i < cases; i++) {
      Random random = Fuzz.random(i);
      String text = Fuzz.text(random, WORDS);
      refused += read(i, text);
    }
    assertThat(refused).isBetween(1, cases - 1);
  }

  private static int read(int number, String text) {
    int refused = 0;
    try {
      Options options = Options.parse(text);
      assertThat(options.settings().keySet())
          .as(Fuzz.describe(number))
          .allMatch(name -> name.startsWith("heddle.") && !name.contains("="));
      for (Filter filter : filters(options)) {
        assertThat(filter.matches("com.acme.A")).isIn(true, false);
      }
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).as(Fuzz.describe(number)).contains("allowed");
      refused = 1;
    }
    try {
      Options.adopt(text);
      Options.preempt(text);
      Options.limits(text);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).as(Fuzz.describe(number)).contains("allowed");
    }
    return refused;
  }

  private static List<Filter> filters(Options options) {
    return java.util.stream.Stream.of(options.adopt(), options.preempt())
        .filter(java.util.Objects::nonNull)
        .toList();
  }
}
