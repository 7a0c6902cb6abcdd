package io.heddle.agent;

import io.heddle.internal.base.InvalidSettingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options after {@code -javaagent:heddle.jar=}, separated by commas. Each is a name, or a name
 * with a value. The value of {@code adopt=}, {@code preempt=} or {@code limit=} is itself a list
 * with commas, which ends before the name of the next option. Commas in brackets separate nothing.
 *
 * @param adopt the threads to adopt, or null for none
 * @param preempt the classes to weave, or null for none
 * @param limits the limits on the number of adopted threads that run at a time
 * @param watch the value of the option watch; empty if the option has no value; null if the option
 *     is not given
 * @param settings the other options, by the name of the system property that each one sets
 */
record Options(
    @Nullable Filter adopt,
    @Nullable Filter preempt,
    List<ThreadLimit> limits,
    @Nullable String watch,
    Map<String, String> settings) {
  private static final String ADOPT = "adopt";
  private static final String PREEMPT = "preempt";
  private static final String WATCH = "watch";
  private static final String LIMIT = "limit";
  private static final Set<String> LISTS = Set.of(ADOPT, PREEMPT, LIMIT);
  private static final Set<String> SETTINGS =
      Set.of(
          "procs",
          "timeslice",
          "overload",
          "leakcheck",
          "cputime",
          "maxthreads",
          "schedtrace",
          "trace",
          "flight",
          "dashboard",
          "watch.page");

  /**
   * Words that are refused as names of threads or classes. A user who writes {@code adopt=no} wants
   * to switch the option off. Taken as a name, the word would match nothing, without a message.
   */
  private static final Set<String> SWITCHES =
      Set.of("true", "false", "yes", "no", "on", "off", "all", "none", "1", "0");

  private static final String ALLOWED =
      "allowed are adopt, adopt=PREFIX*,..., adopt=PREFIX*:SCHEDULER(procs=N),...,"
          + " limit=PREFIX*:N,..., preempt, preempt=PREFIX*,..., procs=, timeslice=, overload=,"
          + " leakcheck=, cputime=, maxthreads=, schedtrace=, trace=, flight= and dashboard=; or"
          + " watch, watch=MILLIS and watch.page=";

  /**
   * Parses the options; {@code text} is null if there are none.
   *
   * @throws InvalidSettingException if an option is invalid; the message says what is allowed
   */
  static Options parse(@Nullable String text) {
    Map<String, List<String>> lists = new HashMap<>();
    Map<String, String> settings = new LinkedHashMap<>();
    String list = null;
    String watch = null;
    for (String part : parts(text)) {
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      String value = equals < 0 ? null : part.substring(equals + 1).strip();
      if (LISTS.contains(name)) {
        List<String> patterns = lists.computeIfAbsent(name, _ -> new ArrayList<>());
        list = value == null ? null : name;
        if (value != null) {
          patterns.add(value);
        }
      } else if (name.equals(WATCH)) {
        watch = value == null ? "" : value;
        list = null;
      } else if (SETTINGS.contains(name) && value != null) {
        settings.put("heddle." + name, value);
        list = null;
      } else if (SETTINGS.contains(name)) {
        throw new InvalidSettingException(
            "the agent's option " + name + " needs a value, as in " + name + "=...: " + ALLOWED);
      } else if (list != null && (value == null || name.contains("("))) {
        lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(part.strip());
      } else {
        throw new InvalidSettingException(
            "the agent does not know the option \"" + part.strip() + "\": " + ALLOWED);
      }
    }
    if (watch != null && !lists.isEmpty()) {
      throw new InvalidSettingException(
          "the agent's option watch observes the JDK's scheduler, so it excludes "
              + String.join(" and ", lists.keySet().stream().sorted().toList()));
    }
    if (lists.containsKey(LIMIT) && lists.get(LIMIT).isEmpty()) {
      throw new InvalidSettingException(
          "the agent's option limit needs a value, as in limit=PREFIX*:N: " + ALLOWED);
    }
    return new Options(
        filter(ADOPT, lists.get(ADOPT)),
        filter(PREEMPT, lists.get(PREEMPT)),
        limits(lists.getOrDefault(LIMIT, List.of())),
        watch,
        settings);
  }

  /**
   * Parses the value of the property {@code heddle.adopt} or its environment variable. An empty
   * text, {@code true} and {@code all} stand for all threads. {@code false} and {@code none} stand
   * for no thread, and the result is null. Any other text is a list of patterns. The agent's option
   * {@code adopt} does not allow these words: it is given without a value for all threads, and
   * omitted for none.
   */
  static @Nullable Filter adopt(String text) {
    return filter(ADOPT, text);
  }

  /**
   * Parses a list of classes in the syntax of {@link #adopt(String)}; returns null for no classes.
   */
  static @Nullable Filter preempt(String text) {
    return filter(PREEMPT, text);
  }

  private static @Nullable Filter filter(String option, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "", "true", "all" -> Filter.ALL;
      case "false", "none" -> null;
      default -> filter(option, parts(text));
    };
  }

  private static @Nullable Filter filter(String option, @Nullable List<String> parts) {
    if (parts == null) {
      return null;
    }
    List<String> patterns = new ArrayList<>();
    Map<String, Tenant> tenants = new LinkedHashMap<>();
    for (String part : parts) {
      int colon = option.equals(ADOPT) ? part.indexOf(':') : -1;
      String pattern = pattern(option, colon < 0 ? part : part.substring(0, colon));
      patterns.add(pattern);
      if (colon >= 0) {
        String whole = option + "=" + part.strip();
        tenants.put(pattern, Tenant.parse(part.substring(colon + 1), whole));
      }
    }
    checkSettingsAgree(tenants);
    return patterns.isEmpty() ? Filter.ALL : new Filter(List.copyOf(patterns), tenants);
  }

  /**
   * Gives all patterns that name the same scheduler the settings of that scheduler. Only one of
   * these patterns needs to have settings.
   *
   * @throws InvalidSettingException if two of them have different settings
   */
  private static void checkSettingsAgree(Map<String, Tenant> tenants) {
    Map<String, Tenant> named = new HashMap<>();
    for (Map.Entry<String, Tenant> entry : tenants.entrySet()) {
      Tenant tenant = entry.getValue();
      Tenant earlier = named.get(tenant.name());
      if (earlier == null || earlier.settings().isEmpty()) {
        named.put(tenant.name(), tenant);
      } else if (!tenant.settings().isEmpty() && !tenant.equals(earlier)) {
        throw new InvalidSettingException(
            "adopt gives the scheduler "
                + tenant.name()
                + " the settings "
                + earlier.settings()
                + " and "
                + tenant.settings()
                + ": allowed is one of them");
      }
    }
    tenants.replaceAll((_, tenant) -> named.get(tenant.name()));
  }

  /** Parses the value of the property {@code heddle.limit} or its environment variable. */
  static List<ThreadLimit> limits(String text) {
    return limits(parts(text));
  }

  private static List<ThreadLimit> limits(List<String> parts) {
    return parts.stream().map(ThreadLimit::parse).toList();
  }

  /**
   * Splits the text at commas outside of brackets. Returns no parts if the text is null or blank.
   */
  private static List<String> parts(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  /**
   * Checks a pattern, and returns it without spaces around it.
   *
   * @throws InvalidSettingException if the text is empty, has a {@code *} before its end, is one of
   *     {@link #SWITCHES}, or is the name of an option
   */
  static String pattern(String option, String text) {
    String stripped = text.strip();
    int star = stripped.indexOf('*');
    if (stripped.isEmpty() || (star >= 0 && star < stripped.length() - 1)) {
      throw new InvalidSettingException(option + "=" + text + ": " + allowedNames(option));
    }
    if (SWITCHES.contains(stripped.toLowerCase(Locale.ROOT))) {
      throw new InvalidSettingException(
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
    if (SETTINGS.contains(stripped) || LISTS.contains(stripped) || stripped.equals(WATCH)) {
      throw new InvalidSettingException(
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
        + (option.equals(PREEMPT) ? "" : " or thread")
        + ", or a prefix followed by *, as in com.acme.*";
  }
}
