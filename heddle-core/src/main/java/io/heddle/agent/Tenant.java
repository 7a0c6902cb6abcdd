package io.heddle.agent;

import io.heddle.Scheduler;
import io.heddle.internal.base.InvalidSettingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scheduler that runs only some of the adopted threads: {@code web(procs=4)} in {@code
 * adopt=tomcat-*:web(procs=4)}.
 *
 * @param name the name of the scheduler
 * @param settings the settings of the scheduler, each as {@code name=value} or {@code name}
 */
record Tenant(String name, List<String> settings) {
  private static final Pattern SYNTAX = Pattern.compile("([\\w.-]+)(?:\\(([^()]*)\\))?");
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(us|ms|s)");

  /** The names of {@link Scheduler#shared} and {@link Scheduler#background}. */
  private static final Set<String> RESERVED = Set.of("shared", "background");

  private static final String WITHOUT_NAME =
      "A pattern without a name leads to the shared scheduler, and the setting background in"
          + " brackets, as in batch(background), makes one for background work";

  private static final String ALLOWED =
      "allowed is the name of a scheduler, and in brackets procs=, maxthreads=, timeslice=,"
          + " overload= and background, as in adopt=tomcat-*:web(procs=4,timeslice=5ms)";

  /**
   * Parses what follows the colon of a pattern. {@code whole} is the text that a message shows.
   *
   * @throws InvalidSettingException if the text is invalid, or the name is one of {@link
   *     #RESERVED}
   */
  static Tenant parse(String text, String whole) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    if (!matcher.matches()) {
      throw new InvalidSettingException(whole + ": " + ALLOWED);
    }
    List<String> settings = new ArrayList<>();
    if (matcher.group(2) != null) {
      for (String each : matcher.group(2).split(",", -1)) {
        settings.add(each.strip());
      }
    }
    Tenant tenant = new Tenant(matcher.group(1), List.copyOf(settings));
    if (RESERVED.contains(tenant.name())) {
      throw new InvalidSettingException(
          "%s: %s is the name of a scheduler that Heddle makes; allowed is any other name. %s"
              .formatted(whole, tenant.name(), WITHOUT_NAME));
    }
    try {
      Scheduler.Builder _ = tenant.builder();
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(whole + ": " + e.getMessage(), e);
    }
    return tenant;
  }

  /** Makes the scheduler. */
  Scheduler open() {
    return builder().build();
  }

  private Scheduler.Builder builder() {
    Scheduler.Builder builder = Scheduler.builder().name(name);
    for (String setting : settings) {
      set(builder, setting);
    }
    return builder;
  }

  private static void set(Scheduler.Builder builder, String setting) {
    int equals = setting.indexOf('=');
    String name = equals < 0 ? setting : setting.substring(0, equals).strip();
    String value = equals < 0 ? "" : setting.substring(equals + 1).strip();
    Scheduler.Builder _ =
        switch (name) {
          case "procs" -> builder.procs(number(name, value));
          case "maxthreads" -> builder.maxThreads(number(name, value));
          case "timeslice" -> builder.timeSlice(time(name, value));
          case "overload" -> builder.overload(time(name, value));
          case "background" -> {
            if (equals >= 0) {
              throw new InvalidSettingException("background takes no value: " + ALLOWED);
            }
            yield builder.background();
          }
          default ->
              throw new InvalidSettingException(
                  "\"" + setting + "\" is no setting of a scheduler: " + ALLOWED);
        };
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new InvalidSettingException(
          name + " is \"" + value + "\": allowed is a whole number, as in " + name + "=4", e);
    }
  }

  private static Duration time(String name, String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new InvalidSettingException(
          "%s is \"%s\": allowed is a number with us, ms or s, as in %s=5ms"
              .formatted(name, value, name));
    }
    return duration(matcher.group(1), matcher.group(2));
  }

  /** Returns a duration from a number and its unit: {@code us}, {@code ms} or {@code s}. */
  static Duration duration(String number, String unit) {
    long n = Long.parseLong(number);
    return switch (unit) {
      case "us" -> Duration.ofNanos(1_000 * n);
      case "ms" -> Duration.ofMillis(n);
      default -> Duration.ofSeconds(n);
    };
  }
}
