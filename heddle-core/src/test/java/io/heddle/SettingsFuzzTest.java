package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.sched.SchedConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Any value of a setting is allowed, or is rejected by a message that names the setting and states
 * what is allowed.
 */
@HangGuard
class SettingsFuzzTest {
  private static final String[] WORDS = {
    "1", "4", "10", "ms", "us", "s", "10ms", "500us", " ", "MS", "+1", "-", "exit", "throw", "1024",
    "1025", "3600s"
  };

  private static final Map<String, Supplier<?>> SETTINGS =
      Map.of(
          "heddle.procs", Settings.PROCS::read,
          "heddle.maxthreads", Settings.MAX_THREADS::read,
          "heddle.schedtrace", Settings.SCHED_TRACE::read,
          "heddle.timeslice", Settings::timeSlice,
          "heddle.deadlock", Settings::deadlockExits,
          "heddle.trace", Settings::trace,
          "heddle.flight", Settings::flight);

  @Test
  void anyValueIsAllowedOrRejected() {
    int cases = Fuzz.cases(getClass(), 20_000);
    for (int i = 0; i < cases; i++) {
      Random random = Fuzz.random(i);
      String text = Fuzz.text(random, WORDS);
      for (Map.Entry<String, Supplier<?>> setting : SETTINGS.entrySet()) {
        read(i, setting.getKey(), text, setting.getValue());
      }
    }
  }

  private static void read(int number, String property, String text, Supplier<?> reader) {
    String before = System.getProperty(property);
    System.setProperty(property, text);
    try {
      check(number, reader.get());
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage())
          .as(Fuzz.describe(number))
          .startsWith(property + " is ")
          .contains("allowed is ");
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  private static void check(int number, Object value) {
    if (value instanceof Integer n) {
      assertThat(n).as(Fuzz.describe(number)).isBetween(1, 86_400_000);
    }
    if (value instanceof Duration slice) {
      assertThat(slice)
          .as(Fuzz.describe(number))
          .isBetween(Duration.ofNanos(1_000), Duration.ofHours(1));
    }
  }

  /** The builder rejects the values that the settings reject, with the same limits. */
  @Test
  void builderRejectsWhatTheSettingRejects() {
    for (int i = 0; i < 1_000; i++) {
      int n = Fuzz.random(i).nextInt();
      try {
        Scheduler.builder().procs(n);
        assertThat(n).isBetween(1, SchedConfig.MAX_PROCS);
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).isEqualTo("procs is " + n + ": allowed is 1 to 1024");
      }
    }
  }
}
