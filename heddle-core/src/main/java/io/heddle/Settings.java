package io.heddle;

import io.heddle.internal.base.InvalidSettingException;
import io.heddle.internal.sched.SchedConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of the program. A setting is a system property, or else the environment
 * variable of the same name in capitals with {@code _} for each dot. If a value is not allowed, the
 * method that reads it throws {@link IllegalArgumentException}. The message says where the value
 * was found.
 */
final class Settings {
  /**
   * The number of Ps (rule P2 of docs/internals/rules.md). The default is the number of CPUs that
   * the JVM reports, or that the control groups of this process allow, if that is less.
   */
  static final IntSetting PROCS =
      new IntSetting(
          "heddle.procs",
          SchedConfig.MAX_PROCS,
          () -> Math.min(ContainerSettings.cpus(), SchedConfig.MAX_PROCS));

  /** The largest number of OS threads of one scheduler. */
  static final IntSetting MAX_THREADS =
      new IntSetting("heddle.maxthreads", 1_000_000, ContainerSettings::threads);

  private static final String TRACE = "heddle.trace";
  private static final String FLIGHT = "heddle.flight";

  /**
   * The milliseconds between two lines that {@code SchedTrace} prints, at most a day. If it is not
   * set, no lines are printed.
   */
  static final IntSetting SCHED_TRACE = new IntSetting("heddle.schedtrace", 86_400_000, () -> 0);

  /**
   * The setting with the address of the dashboard. The dashboard reads the address itself. The
   * scheduler only checks whether the setting is given, and otherwise loads no class of the
   * dashboard.
   */
  static final String DASHBOARD = "heddle.dashboard";

  private static final String TIME_SLICE = "heddle.timeslice";
  private static final String OVERLOAD = "heddle.overload";
  private static final String LEAK_CHECK = "heddle.leakcheck";
  private static final Duration SHORTEST_CHECK = Duration.ofSeconds(1);
  private static final Duration LONGEST_CHECK = Duration.ofDays(1);
  private static final Duration SHORTEST_DELAY = Duration.ofMillis(1);
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
  private static final Duration SHORTEST_SLICE = Duration.ofNanos(1_000);
  private static final Duration LONGEST_SLICE = Duration.ofHours(1);

  private Settings() {}

  /** A setting that is a whole number from 1 to {@code max}; {@code byDefault} if it is not set. */
  record IntSetting(String property, int max, IntSupplier byDefault) {
    int read() {
      Value set = lookUp(property);
      if (set == null) {
        return byDefault.getAsInt();
      }
      try {
        return check(set.where(), Integer.parseInt(set.text()));
      } catch (NumberFormatException e) {
        throw new InvalidSettingException(
            set.where() + " is \"" + set.text() + "\": allowed is a whole number from 1 to " + max,
            e);
      }
    }

    int check(String what, int value) {
      if (value < 1 || value > max) {
        throw new InvalidSettingException(what + " is " + value + ": allowed is 1 to " + max);
      }
      return value;
    }
  }

  /** Where a setting was found (the name of the property or of the variable), and its text. */
  record Value(String where, String text) {}

  /** Returns the file to which all schedulers are traced; null if it is not set. */
  static @Nullable Value trace() {
    return file(TRACE);
  }

  /**
   * Returns the file to which the flight recorder writes the last seconds of all traces when a
   * deadlock or a stall is reported; null if the flight recorder is off.
   */
  static @Nullable Value flight() {
    return file(FLIGHT);
  }

  private static @Nullable Value file(String property) {
    Value set = lookUp(property);
    if (set != null && set.text().isBlank()) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": allowed is the name of a file");
    }
    return set;
  }

  /**
   * Returns the time slice. The setting is a number with a unit, such as {@code 10ms},
   * {@code 500us} or {@code 2s}; without a unit it is in milliseconds.
   */
  static Duration timeSlice() {
    Value set = lookUp(TIME_SLICE);
    if (set == null) {
      return Duration.ofNanos(SchedConfig.TIME_SLICE_NANOS);
    }
    try {
      return checkTimeSlice(set.where(), parse(set.text()));
    } catch (NumberFormatException e) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": allowed is 1us to 3600s, as in 10ms", e);
    }
  }

  static Duration checkTimeSlice(String what, Duration slice) {
    Objects.requireNonNull(slice, what);
    if (slice.compareTo(SHORTEST_SLICE) < 0 || slice.compareTo(LONGEST_SLICE) > 0) {
      throw new InvalidSettingException(what + " is " + slice + ": allowed is 1 µs to 1 h");
    }
    return slice;
  }

  /**
   * Returns how long goroutines may wait for a P before new work is refused; zero if no work is
   * refused. The setting is a time in the form of {@link #timeSlice}, or {@code off}.
   */
  static Duration overload() {
    Value set = lookUp(OVERLOAD);
    if (set == null || set.text().strip().equalsIgnoreCase("off")) {
      return Duration.ZERO;
    }
    try {
      return checkOverload(set.where(), parse(set.text()));
    } catch (NumberFormatException e) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": allowed is off, or 1ms to 60s, as in 20ms", e);
    }
  }

  /** Whether CPU times are exact. They are sampled if the setting is {@code sampled} or not set. */
  static boolean exactCpuTime() {
    Value set = lookUp("heddle.cputime");
    String text = set == null ? "sampled" : set.text().strip();
    if (set != null && !text.equals("exact") && !text.equals("sampled")) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": allowed is exact or sampled");
    }
    return text.equals("exact");
  }

  static Duration checkOverload(String what, Duration target) {
    Objects.requireNonNull(target, what);
    if (target.compareTo(SHORTEST_DELAY) < 0 || target.compareTo(LONGEST_DELAY) > 0) {
      throw new InvalidSettingException(what + " is " + target + ": allowed is 1 ms to 60 s");
    }
    return target;
  }

  /**
   * Returns the time between two checks for deadlocks and leaks; zero if there are no checks. The
   * setting is a time in the form of {@link #timeSlice}, or {@code off}.
   */
  static Duration leakCheck() {
    Value set = lookUp(LEAK_CHECK);
    if (set == null || set.text().strip().equalsIgnoreCase("off")) {
      return Duration.ZERO;
    }
    Duration interval;
    try {
      interval = parse(set.text());
    } catch (NumberFormatException e) {
      throw invalidLeakCheck(set, e);
    }
    if (interval.compareTo(SHORTEST_CHECK) < 0 || interval.compareTo(LONGEST_CHECK) > 0) {
      throw invalidLeakCheck(set, null);
    }
    return interval;
  }

  private static InvalidSettingException invalidLeakCheck(Value set, @Nullable Throwable cause) {
    return new InvalidSettingException(
        set.where() + " is \"" + set.text() + "\": allowed is off, or 1s to 86400s, as in 60s",
        cause);
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

  /** Returns the number in {@code text} without the last {@code unitLength} characters. */
  private static long number(String text, int unitLength) {
    return Integer.parseInt(text.substring(0, text.length() - unitLength).strip());
  }

  /**
   * Whether an uncaught DeadlockException ends the JVM. It does if the setting is {@code exit}; it
   * does not if the setting is {@code throw} or not set.
   */
  static boolean deadlockExits() {
    Value set = lookUp("heddle.deadlock");
    String text = set == null ? "throw" : set.text();
    if (set != null && !text.equals("exit") && !text.equals("throw")) {
      throw new InvalidSettingException(
          set.where() + " is \"" + text + "\": allowed is exit or throw");
    }
    return text.equals("exit");
  }

  /**
   * Whether the defaults follow the limits of the container. They do if the setting is {@code on}
   * or not set; they do not if it is {@code off}.
   */
  static boolean followsContainer() {
    Value set = lookUp("heddle.container");
    String text = set == null ? "on" : set.text().strip().toLowerCase(Locale.ROOT);
    if (set != null && !text.equals("on") && !text.equals("off")) {
      throw new InvalidSettingException(
          set.where() + " is \"" + set.text() + "\": allowed is on or off");
    }
    return text.equals("on");
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
