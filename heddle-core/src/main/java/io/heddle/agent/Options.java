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
 * What stands behind {@code -javaagent:heddle.jar=}: names, or names and values, with commas between them. What follows
 * {@code adopt=} or {@code preempt=} up to the next name is a list of its own.
 *
 * @param adopt which threads to adopt; null: none
 * @param preempt which classes to weave; null: none
 * @param settings those that are system properties, too, by the name of the property
 */
record Options(@Nullable Filter adopt, @Nullable Filter preempt, Map<String, String> settings) {
  private static final String ADOPT = "adopt";
  private static final String PREEMPT = "preempt";
  private static final Set<String> LISTS = Set.of(ADOPT, PREEMPT);
  private static final Set<String> SETTINGS =
      Set.of("procs", "timeslice", "maxthreads", "schedtrace", "trace", "flight", "dashboard");
  private static final String ALLOWED =
      "allowed are adopt, adopt=PREFIX*,..., preempt, preempt=PREFIX*,..., procs=, timeslice=,"
          + " maxthreads=, schedtrace=, trace=, flight= and dashboard=";

  /** @throws IllegalArgumentException if it makes no sense; the message says what would */
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
      } else if (list != null && value == null) {
        lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(pattern(list, name));
      } else {
        throw new IllegalArgumentException(
            "the agent does not know the option \"" + part.strip() + "\": " + ALLOWED);
      }
    }
    return new Options(filter(lists.get(ADOPT)), filter(lists.get(PREEMPT)), settings);
  }

  /** The same from a property or an environment variable: nothing or {@code true} is all, {@code false} none. */
  static @Nullable Filter adopt(String text) {
    return filter(ADOPT, text);
  }

  /** As {@link #adopt(String)}. */
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
      throw new IllegalArgumentException(
          option
              + "="
              + text
              + ": allowed is the name of a class"
              + (option.equals(ADOPT) ? " or thread" : "")
              + ", or the beginning of one with * behind"
              + " it, as in com.acme.*");
    }
    return stripped;
  }
}
