package io.heddle.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@code -javaagent:heddle.jar=}: names, or names and values, with commas between them. What follows
 * {@code adopt=} up to the next name is a list of its own.
 *
 * @param adopt which threads to adopt; null: none
 * @param settings those that are system properties, too, by the name of the property
 */
record Options(@Nullable Filter adopt, Map<String, String> settings) {
  private static final String ADOPT = "adopt";
  private static final Set<String> SETTINGS =
      Set.of("procs", "timeslice", "maxthreads", "dashboard");
  private static final String ALLOWED =
      "allowed are adopt, adopt=PREFIX*,..., procs=, timeslice=, maxthreads= and dashboard=";

  /** @throws IllegalArgumentException if it makes no sense; the message says what would */
  static Options parse(@Nullable String text) {
    List<String> patterns = null;
    Map<String, String> settings = new LinkedHashMap<>();
    boolean inList = false;
    for (String part : parts(text)) {
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? null : part.substring(equals + 1).strip();
      if (name.equals(ADOPT)) {
        patterns = patterns == null ? new ArrayList<>() : patterns;
        inList = value != null;
        if (value != null) {
          patterns.add(pattern(value));
        }
      } else if (SETTINGS.contains(name) && value != null) {
        settings.put("heddle." + name, value);
        inList = false;
      } else if (inList && value == null && patterns != null) {
        patterns.add(pattern(name));
      } else {
        throw new IllegalArgumentException(
            "the agent does not know the option \"" + part.strip() + "\": " + ALLOWED);
      }
    }
    return new Options(filter(patterns), settings);
  }

  /** The same from a property or an environment variable: nothing or {@code true} is all, {@code false} none. */
  static @Nullable Filter adopt(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "", "true", "all" -> Filter.ALL;
      case "false", "none" -> null;
      default -> new Filter(parts(text).stream().map(Options::pattern).toList());
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

  private static String pattern(String text) {
    String stripped = text.strip();
    int star = stripped.indexOf('*');
    if (stripped.isEmpty() || (star >= 0 && star < stripped.length() - 1)) {
      throw new IllegalArgumentException(
          "adopt="
              + text
              + ": allowed is the name of a class or thread, or the beginning of one with * behind"
              + " it, as in com.acme.*");
    }
    return stripped;
  }
}
