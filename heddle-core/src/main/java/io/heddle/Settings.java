package io.heddle;

import io.heddle.internal.sched.SchedConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the program: a system property, or else an environment variable. */
final class Settings {
  /**
   * The number of Ps (rule P2). The JVM's number of CPUs already respects the limits of a
   * container.
   */
  static final IntSetting PROCS =
      new IntSetting(
          "heddle.procs",
          SchedConfig.MAX_PROCS,
          () -> Math.min(Runtime.getRuntime().availableProcessors(), SchedConfig.MAX_PROCS));

  static final IntSetting MAX_THREADS =
      new IntSetting("heddle.maxthreads", 1_000_000, () -> SchedConfig.MAX_THREADS);

  private static final String TRACE = "heddle.trace";
  private static final String FLIGHT = "heddle.flight";

  /**
   * Milliseconds between two lines of {@code SchedTrace}, up to a day; no lines unless it is set.
   */
  static final IntSetting SCHED_TRACE = new IntSetting("heddle.schedtrace", 86_400_000, () -> 0);

  /** Checked here, so that the package of the dashboard is loaded only if this is set. */
  static final String DASHBOARD = "heddle.dashboard";

  private static final String TIME_SLICE = "heddle.timeslice";
  private static final Duration SHORTEST_SLICE = Duration.ofNanos(1_000);
  private static final Duration LONGEST_SLICE = Duration.ofHours(1);

  private Settings() {}

  /** A whole number from 1 to {@code max}. */
  record IntSetting(String property, int max, IntSupplier byDefault) {
    int read() {
      Value set = lookUp(property);
      if (set == null) {
        return byDefault.getAsInt();
      }
      try {
        return check(set.where(), Integer.parseInt(set.text()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            set.where() + " is \"" + set.text() + "\": allowed is a whole number from 1 to " + max,
            e);
      }
    }

    int check(String what, int value) {
      if (value < 1 || value > max) {
        throw new IllegalArgumentException(what + " is " + value + ": allowed is 1 to " + max);
      }
      return value;
    }
  }

  /** Where a setting was found, and its text. */
  record Value(String where, String text) {}

  /** The file to which all schedulers are traced; null if not set. */
  static @Nullable Value trace() {
    return file(TRACE);
  }

  /** The file for the last seconds before something went wrong; null if they are not recorded. */
  static @Nullable Value flight() {
    return file(FLIGHT);
  }

  private static @Nullable Value file(String property) {
    Value set = lookUp(property);
    if (set != null && set.text().isBlank()) {
      throw new IllegalArgumentException(
          set.where() + " is \"" + set.text() + "\": allowed is the name of a file");
    }
    return set;
  }

  /** The time slice: {@code 10ms}, {@code 500us}, {@code 2s}, or a number of milliseconds. */
  static Duration timeSlice() {
    Value set = lookUp(TIME_SLICE);
    if (set == null) {
      return Duration.ofNanos(SchedConfig.TIME_SLICE_NANOS);
    }
    try {
      return checkTimeSlice(set.where(), parse(set.text()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          set.where() + " is \"" + set.text() + "\": allowed is 1us to 3600s, as in 10ms", e);
    }
  }

  static Duration checkTimeSlice(String what, Duration slice) {
    Objects.requireNonNull(slice, what);
    if (slice.compareTo(SHORTEST_SLICE) < 0 || slice.compareTo(LONGEST_SLICE) > 0) {
      throw new IllegalArgumentException(what + " is " + slice + ": allowed is 1 µs to 1 h");
    }
    return slice;
  }

  private static Duration parse(String text) {
    String t = text.strip().toLowerCase(Locale.ROOT);
    if (t.endsWith("us")) {
      return Duration.ofNanos(Math.multiplyExact(1_000L, number(t, 2)));
    }
    if (t.endsWith("ms")) {
      return Duration.ofMillis(number(t, 2));
    }
    if (t.endsWith("s")) {
      return Duration.ofSeconds(number(t, 1));
    }
    return Duration.ofMillis(number(t, 0));
  }

  private static long number(String text, int unitLength) {
    return Integer.parseInt(text.substring(0, text.length() - unitLength).strip());
  }

  /**
   * Whether an uncaught DeadlockException ends the JVM: {@code exit}; {@code throw} or not set: no.
   */
  static boolean deadlockExits() {
    Value set = lookUp("heddle.deadlock");
    String text = set == null ? "throw" : set.text();
    if (set != null && !text.equals("exit") && !text.equals("throw")) {
      throw new IllegalArgumentException(
          set.where() + " is \"" + text + "\": allowed is exit or throw");
    }
    return text.equals("exit");
  }

  static boolean isSet(String property) {
    return lookUp(property) != null;
  }

  private static @Nullable Value lookUp(String property) {
    String set = System.getProperty(property);
    if (set != null) {
      return new Value(property, set);
    }
    String variable = property.replace('.', '_').toUpperCase(Locale.ROOT);
    set = System.getenv(variable);
    return set == null ? null : new Value(variable, set);
  }
}
