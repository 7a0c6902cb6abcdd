package io.heddle.testkit;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the text format of Prometheus, version 0.0.4, and refuses what Prometheus or promtool
 * would refuse: a series that occurs twice, the lines of a metric that are not together, a sample
 * without a type, a counter whose name does not end in {@code _total}, a histogram that is not
 * cumulative.
 */
public final class PrometheusText {
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\n\"])*)\",?");

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<String, Map<Map<String, String>, Double>> samples = new LinkedHashMap<>();
  private final Set<String> ended = new HashSet<>();
  private String family = "";

  private PrometheusText() {}

  public static PrometheusText parse(String text) {
    PrometheusText parsed = new PrometheusText();
    if (!text.isEmpty() && !text.endsWith("\n")) {
      throw new AssertionError("the last line does not end");
    }
    text.lines().filter(line -> !line.isEmpty()).forEach(parsed::line);
    parsed.types.forEach(parsed::check);
    return parsed;
  }

  /** The names of all samples, such as {@code x_bucket} for a histogram {@code x}. */
  public Set<String> names() {
    return samples.keySet();
  }

  /** The types of all metrics, by name. */
  public Map<String, String> types() {
    return types;
  }

  /** The names of all labels of {@code sample}. */
  public Set<String> labelsOf(String sample) {
    Set<String> names = new TreeSet<>();
    samples
        .getOrDefault(sample, Map.of())
        .keySet()
        .forEach(labels -> names.addAll(labels.keySet()));
    return names;
  }

  /** The values of a label of {@code sample}. */
  public Set<String> values(String sample, String label) {
    Set<String> values = new TreeSet<>();
    for (Map<String, String> labels : samples.getOrDefault(sample, Map.of()).keySet()) {
      if (labels.containsKey(label)) {
        values.add(labels.get(label));
      }
    }
    return values;
  }

  /**
   * The value of the one sample of that name with at least these labels: names and values in turn.
   */
  public double value(String sample, String... labels) {
    Map<String, String> wanted = new TreeMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      wanted.put(labels[i], labels[i + 1]);
    }
    double[] found =
        samples.getOrDefault(sample, Map.of()).entrySet().stream()
            .filter(each -> each.getKey().entrySet().containsAll(wanted.entrySet()))
            .mapToDouble(Map.Entry::getValue)
            .toArray();
    if (found.length != 1) {
      throw new AssertionError(found.length + " samples of " + sample + wanted);
    }
    return found[0];
  }

  private void line(String line) {
    Matcher comment = COMMENT.matcher(line);
    Matcher sample = SAMPLE.matcher(line);
    if (comment.matches()) {
      begin(comment.group(2));
      if (comment.group(1).equals("TYPE")
          && types.put(comment.group(2), comment.group(3)) != null) {
        throw new AssertionError("a second type: " + line);
      }
    } else if (sample.matches() && !line.startsWith("#")) {
      String name = sample.group(1);
      if (!name.startsWith(family) || !types.containsKey(family)) {
        throw new AssertionError("no type before " + line);
      }
      if (samples
              .computeIfAbsent(name, _ -> new LinkedHashMap<>())
              .put(labels(sample.group(2)), number(sample.group(3)))
          != null) {
        throw new AssertionError("twice: " + line);
      }
    } else {
      throw new AssertionError("not in the format: " + line);
    }
  }

  private void begin(String name) {
    if (!name.equals(family)) {
      ended.add(family);
      family = name;
      if (ended.contains(name)) {
        throw new AssertionError("the lines of " + name + " are not together");
      }
    }
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new TreeMap<>();
    if (text != null) {
      Matcher label = LABEL.matcher(text);
      int end = 0;
      while (label.find() && label.start() == end) {
        String value =
            label.group(2).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
        if (labels.put(label.group(1), value) != null) {
          throw new AssertionError("a label twice in " + text);
        }
        end = label.end();
      }
      if (end != text.length()) {
        throw new AssertionError("labels not in the format: " + text);
      }
    }
    return labels;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private void check(String name, String type) {
    boolean isGood =
        switch (type) {
          case "counter" -> name.endsWith("_total") && samples.containsKey(name);
          case "gauge", "untyped" -> !name.endsWith("_total") && samples.containsKey(name);
          case "histogram" -> isHistogram(name);
          case "summary" -> samples.containsKey(name + "_count");
          default -> false;
        };
    if (!isGood) {
      throw new AssertionError(type + " " + name + " is not as it must be");
    }
  }

  private boolean isHistogram(String name) {
    Map<Map<String, String>, TreeMap<Double, Double>> series = new LinkedHashMap<>();
    samples
        .getOrDefault(name + "_bucket", Map.of())
        .forEach(
            (labels, value) -> {
              Map<String, String> others = new TreeMap<>(labels);
              double le = number(others.remove("le"));
              series.computeIfAbsent(others, _ -> new TreeMap<>()).put(le, value);
            });
    series.forEach(
        (labels, buckets) -> {
          double before = 0;
          for (double value : buckets.values()) {
            if (value < before) {
              throw new AssertionError(name + labels + " is not cumulative");
            }
            before = value;
          }
          Double count = samples.get(name + "_count").get(labels);
          if (!buckets.get(Double.POSITIVE_INFINITY).equals(count)
              || samples.get(name + "_sum").get(labels) == null) {
            throw new AssertionError(name + labels + ": +Inf is not the count, or no sum");
          }
        });
    return !series.isEmpty();
  }
}
