package io.heddle.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** What one copy of Heddle in a JVM has published about itself in a system property. */
record Status(Map<String, String> facts) {
  private static final String PROPERTY = "io.heddle.status";
  private static final String FEATURE = "feature.";
  private static final String OFF = "off: ";

  /** Returns the status of each copy, the first one first. */
  static List<Status> allIn(Properties properties) {
    List<Status> all = new ArrayList<>();
    for (int copy = 1; ; copy++) {
      String text = properties.getProperty(copy == 1 ? PROPERTY : PROPERTY + "." + copy);
      if (text == null) {
        return all;
      }
      all.add(parse(text));
    }
  }

  private static Status parse(String text) {
    Map<String, String> facts = new LinkedHashMap<>();
    text.lines()
        .filter(line -> line.contains("="))
        .forEach(
            line -> {
              int equals = line.indexOf('=');
              facts.put(line.substring(0, equals), line.substring(equals + 1));
            });
    return new Status(facts);
  }

  String get(String key) {
    return facts.getOrDefault(key, "");
  }

  /** Returns the number of Ps; null if no scheduler was made. */
  @Nullable Integer procs() {
    String procs = get("procs");
    return procs.isEmpty() ? null : Integer.valueOf(procs);
  }

  boolean isOff() {
    return get("mode").startsWith("off");
  }

  /** Whether virtual threads of the program become goroutines. */
  boolean adopts() {
    return get("mode").contains("adopts ") && !get("mode").contains("adopts no threads");
  }

  List<String> featuresOn() {
    return facts.keySet().stream()
        .filter(key -> key.startsWith(FEATURE) && !get(key).startsWith(OFF))
        .map(key -> key.substring(FEATURE.length()))
        .toList();
  }

  /** Returns the features that are off, each with the reason. */
  Map<String, String> featuresOff() {
    Map<String, String> off = new LinkedHashMap<>();
    facts.forEach(
        (key, value) -> {
          if (key.startsWith(FEATURE) && value.startsWith(OFF)) {
            off.put(key.substring(FEATURE.length()), value.substring(OFF.length()));
          }
        });
    return off;
  }
}
