package io.heddle.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options after {@code -javaagent:heddle.jar=}: names, or names with values, separated by
 * commas. The value of {@code adopt=} or {@code preempt=} is a list that extends to the next option
 * name.
 *
 * @param adopt the threads to adopt, or null for none
 * @param preempt the classes to weave, or null for none
 * @param settings the other options, by the name of the system property that each one sets
 */
record Options(@Nullable Filter adopt, @Nullable Filter preempt, Map<String, String> settings) {
  private static final String ADOPT = "adopt";
  private static final String PREEMPT = "preempt";
  private static final Set<String> LISTS = Set.of(ADOPT, PREEMPT);
  private static final Set<String> SETTINGS =
      Set.of("procs", "timeslice", "maxthreads", "schedtrace", "trace", "flight", "dashboard");

  /**
   * Words with which a user means to switch an option on or off. Taken as names they would match
   * nothing, and the user would not be told.
   */
  private static final Set<String> SWITCHES =
      Set.of("true", "false", "yes", "no", "on", "off", "all", "none", "1", "0");

  private static final String ALLOWED =
      "allowed are adopt, adopt=PREFIX*,..., preempt, preempt=PREFIX*,..., procs=, timeslice=,"
          + " maxthreads=, schedtrace=, trace=, flight= and dashboard=";

  /**
   * Parses the options.
   *
   * @throws IllegalArgumentException if an option is invalid; the message says what is allowed
   */
  static Options parse(@Nullable String text) {
    Map<String, List<String>> lists = new HashMap<>();
    Map<String, String> settings = new LinkedHashMap<>();
    String list = null;
    for (String part : parts(text)) {
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? null : part.substring(equals + 1).strip();
      if (LISTS.contains(name)) {
        List<String> patterns = lists.computeIfAbsent(name, _ -> new ArrayList<>());
        list = value == null ? null : name;
        if (value != null) {
          patterns.add(pattern(name, value));
        }
      } else if (SETTINGS.contains(name) && value != null) {
        settings.put("heddle." + name, value);
        list = null;
      } else if (SETTINGS.contains(name)) {
        throw new IllegalArgumentException(
            "the agent's option " + name + " needs a value, as in " + name + "=...: " + ALLOWED);
      } else if (list != null && value == null) {
        lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(pattern(list, name));
      } else {
        throw new IllegalArgumentException(
            "the agent does not know the option \"" + part.strip() + "\": " + ALLOWED);
      }
    }
    return new Options(filter(lists.get(ADOPT)), filter(lists.get(PREEMPT)), settings);
  }

  /**
   * Parses the value of a property or environment variable: empty, {@code true} or {@code all} for
   * all threads, {@code false} or {@code none} for none, otherwise a list of patterns. A variable
   * cannot say {@code adopt} alone, as the agent's option can.
   */
  static @Nullable Filter adopt(String text) {
    return filter(ADOPT, text);
  }

  /** Parses a list of classes in the syntax of {@link #adopt(String)}. */
  static @Nullable Filter preempt(String text) {
    return filter(PREEMPT, text);
  }

  private static @Nullable Filter filter(String option, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "", "true", "all" -> Filter.ALL;
      case "false", "none" -> null;
      default -> new Filter(parts(text).stream().map(part -> pattern(option, part)).toList());
    };
  }

  private static @Nullable Filter filter(@Nullable List<String> patterns) {
    if (patterns == null) {
      return null;
    }
    return patterns.isEmpty() ? Filter.ALL : new Filter(List.copyOf(patterns));
  }

  private static List<String> parts(@Nullable String text) {
    return text == null || text.isBlank() ? List.of() : List.of(text.split(",", -1));
  }

  private static String pattern(String option, String text) {
    String stripped = text.strip();
    int star = stripped.indexOf('*');
    if (stripped.isEmpty() || (star >= 0 && star < stripped.length() - 1)) {
      throw new IllegalArgumentException(option + "=" + text + ": " + allowedNames(option));
    }
    if (SWITCHES.contains(stripped.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          option
              + "="
              + stripped
              + ": "
              + stripped
              + " is no name; "
              + allowedNames(option)
              + "; "
              + option
              + " alone, or the property heddle."
              + option
              + "=true, is for all of them");
    }
    if (SETTINGS.contains(stripped) || LISTS.contains(stripped)) {
      throw new IllegalArgumentException(
          option
              + "="
              + stripped
              + ": "
              + stripped
              + " is an option of the agent itself; "
              + allowedNames(option));
    }
    return stripped;
  }

  private static String allowedNames(String option) {
    return "allowed is the name of a class"
        + (option.equals(ADOPT) ? " or thread" : "")
        + ", or a prefix followed by *, as in com.acme.*";
  }
}
