package io.heddle.servers;

import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of the report: {@code name=value} each, with defaults. */
record ReportOptions(
    List<ServerKind> servers,
    List<LoadKind> loads,
    List<SchedulerChoice> unders,
    int rounds,
    Duration time,
    Duration warmUp,
    int connections,
    int rate) {

  /** The kinds of load. */
  enum LoadKind {
    /** Small requests, each sent as soon as the connection has its answer. */
    SMALL,
    /** Small requests, each on a new connection. */
    SHORT,
    /** Small requests that each wait for 5 ms, as for a back end. */
    WAIT,
    /** A fixed rate of small requests per second. */
    RATE,
    /**
     * A fixed rate of small requests beside one request per core that computes for two seconds,
     * repeated.
     */
    HOGS
  }

  private static final String ALLOWED =
      "allowed are servers=%s loads=%s under=%s, one or more of each, separated by commas, and the numbers rounds= seconds= warmup= connections= rate="
          .formatted(
              names(ServerKind.values()),
              names(LoadKind.values()),
              names(SchedulerChoice.values()));

  /**
   * Parses the arguments.
   *
   * @throws IllegalArgumentException if an argument is wrong; the message lists what is allowed
   */
  static ReportOptions parse(String... args) {
    Map<String, String> given = new HashMap<>();
    for (String arg : args) {
      try {
        String[] parts = arg.split("=", 2);
        given.put(parts[0], parts[1]);
        take(Map.of(parts[0], parts[1]));
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(arg + ": " + ALLOWED, e);
      }
    }
    return take(given);
  }

  private static ReportOptions take(Map<String, String> given) {
    Map<String, String> left = new HashMap<>(given);
    ReportOptions options =
        new ReportOptions(
            list(left.remove("servers"), "jetty,tomcat,spring,jdk", ServerKind::valueOf),
            list(left.remove("loads"), "small,hogs", LoadKind::valueOf),
            list(left.remove("under"), "jdk,adopted", SchedulerChoice::valueOf),
            number(left.remove("rounds"), 5, 1),
            Duration.ofSeconds(number(left.remove("seconds"), 3, 1)),
            Duration.ofSeconds(number(left.remove("warmup"), 20, 0)),
            number(left.remove("connections"), 100, 1),
            number(left.remove("rate"), 500, 1));
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(left.toString());
    }
    return options;
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String names(Enum<?>... values) {
    return Arrays.stream(values).map(ReportOptions::name).collect(Collectors.joining(","));
  }

  private static <T> List<T> list(
      @Nullable String given, String otherwise, Function<String, T> of) {
    String text = given == null ? otherwise : given;
    return Arrays.stream(text.split(",")).map(n -> of.apply(n.toUpperCase(Locale.ROOT))).toList();
  }

  private static int number(@Nullable String given, int otherwise, int least) {
    int n = given == null ? otherwise : Integer.parseInt(given);
    if (n < least) {
      throw new IllegalArgumentException(given);
    }
    return n;
  }
}
