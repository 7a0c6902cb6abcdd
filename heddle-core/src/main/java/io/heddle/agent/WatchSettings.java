package io.heddle.agent;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.watch.CarrierWatch;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The settings of watch mode, which measures how long a virtual thread of the JDK's scheduler waits
 * for a carrier.
 *
 * @param interval the nanoseconds between two wake-ups of the probe, the thread that is measured
 * @param page the file for the HTML page that is written at the end of the program; null for none
 */
record WatchSettings(long interval, @Nullable Path page) {
  private static final String PROPERTY = "heddle.watch";
  private static final String VARIABLE = "HEDDLE_WATCH";
  private static final String PAGE = "heddle.watch.page";
  private static final String PAGE_VARIABLE = "HEDDLE_WATCH_PAGE";
  private static final long MILLI = 1_000_000;

  /** Whether {@code heddle.watch} or the environment variable {@code HEDDLE_WATCH} is set. */
  static boolean isSet() {
    return System.getProperty(PROPERTY, System.getenv(VARIABLE)) != null;
  }

  /**
   * Reads the interval from the agent's option, or else from {@code heddle.watch} or {@code
   * HEDDLE_WATCH}. Reads the page from {@code heddle.watch.page} or {@code HEDDLE_WATCH_PAGE}.
   * Returns null if watch mode is not asked for.
   *
   * @param option the value of the agent's option; empty if the option has no value; null if the
   *     option is not given
   * @throws InvalidSettingException if a value is not allowed
   */
  static @Nullable WatchSettings read(@Nullable String option) {
    String asked = option == null ? System.getProperty(PROPERTY, System.getenv(VARIABLE)) : option;
    if (asked == null) {
      return null;
    }
    return switch (asked.strip().toLowerCase(Locale.ROOT)) {
      case "false", "none" -> null;
      case "", "true", "all" -> new WatchSettings(CarrierWatch.DEFAULT_INTERVAL_NANOS, givenPage());
      default -> new WatchSettings(millis(asked.strip()), givenPage());
    };
  }

  private static long millis(String text) {
    if (text.matches("[0-9]{1,4}(ms)?")) {
      long millis = Long.parseLong(text.replace("ms", ""));
      if (millis >= 1 && millis <= 1_000) {
        return millis * MILLI;
      }
    }
    throw new InvalidSettingException(
        "watch is \"" + text + "\": allowed is 1ms to 1000ms, as in watch=10ms");
  }

  private static @Nullable Path givenPage() {
    String file = System.getProperty(PAGE, System.getenv(PAGE_VARIABLE));
    try {
      return file == null || file.isBlank() ? null : Path.of(file).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new InvalidSettingException(
          PAGE + " is \"" + file + "\": that is not a file name: " + e.getMessage(), e);
    }
  }
}
