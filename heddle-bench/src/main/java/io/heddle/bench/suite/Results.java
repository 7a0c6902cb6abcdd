package io.heddle.bench.suite;

import io.heddle.bench.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The measured figures, round by round, and a description of the run. */
final class Results {
  /** Identifies a cell of the tables and plots. */
  record CellKey(Row row, Contender contender, int procs, int size) implements Comparable<CellKey> {
    @Override
    public int compareTo(CellKey other) {
      return ORDER.compare(this, other);
    }

    private static final Comparator<CellKey> ORDER =
        Comparator.comparing(CellKey::row)
            .thenComparing(CellKey::contender)
            .thenComparingInt(CellKey::procs)
            .thenComparingInt(CellKey::size);
  }

  /** Facts about the machine, the versions and the run, in display order. */
  final Map<String, String> about = new LinkedHashMap<>();

  /** The reason for each contender that could not be measured at all. */
  final Map<Contender, String> missing = new TreeMap<>();

  private final Map<CellKey, Map<String, List<Double>>> values = new TreeMap<>();
  private final Map<CellKey, String> failures = new TreeMap<>();

  void add(CellKey key, Map<String, Double> printed) {
    for (Figure figure : key.row.figures) {
      add(key, figure.key(), figure.raw().of(printed, key.size));
    }
  }

  void fail(CellKey key, String why) {
    failures.put(key, why);
  }

  Map<CellKey, String> failures() {
    return failures;
  }

  Set<CellKey> keys() {
    return values.keySet();
  }

  /** The cells that have a figure, in the order of the tables. */
  Set<Contender> contenders() {
    Set<Contender> contenders = EnumSet.noneOf(Contender.class);
    values.keySet().forEach(key -> contenders.add(key.contender));
    return contenders;
  }

  Series series(CellKey key, Figure figure) {
    return new Series(values.getOrDefault(key, Map.of()).getOrDefault(figure.key(), List.of()));
  }

  /**
   * The figures of a row with one size and one number of procs; the last measured ones if there are
   * several.
   */
  Series series(Row row, Contender contender, Figure figure) {
    return values.keySet().stream()
        .filter(key -> key.row == row && key.contender == contender)
        .reduce((_, last) -> last)
        .map(key -> series(key, figure))
        .orElse(new Series(List.of()));
  }

  String failure(Row row, Contender contender) {
    return failures.entrySet().stream()
        .filter(each -> each.getKey().row == row && each.getKey().contender == contender)
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Removes the figures of a row that is measured again. */
  void forget(Row row) {
    values.keySet().removeIf(key -> key.row == row);
    failures.keySet().removeIf(key -> key.row == row);
  }

  void write(Path file) throws IOException {
    StringBuilder lines = new StringBuilder("{\"about\":" + Json.write(about) + ",\n\"missing\":");
    Map<String, Object> absent = new LinkedHashMap<>();
    missing.forEach((contender, why) -> absent.put(contender.id(), why));
    lines.append(Json.write(absent)).append(",\n\"failures\":[");
    lines.append(
        String.join(
            ",\n",
            failures.entrySet().stream()
                .map(each -> Json.write(object(each.getKey(), "why", each.getValue())))
                .toList()));
    lines.append("],\n\"results\":[\n");
    lines.append(
        String.join(
            ",\n",
            values.entrySet().stream()
                .map(each -> Json.write(object(each.getKey(), "values", each.getValue())))
                .toList()));
    lines.append("\n]}\n");
    Files.writeString(file, lines);
  }

  private static Map<String, Object> object(CellKey key, String name, Object value) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("row", key.row.id);
    object.put("contender", key.contender.id());
    object.put("procs", key.procs);
    object.put("size", key.size);
    object.put(name, value);
    return object;
  }

  /**
   * Reads a file; throws {@link IllegalArgumentException} that names the file if it is missing or
   * is not a result file.
   */
  static Results read(Path file) {
    try {
      return parse(Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e.getClass().getSimpleName());
    } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException(
          file + " is not a result file of bench: " + e.getMessage());
    }
  }

  private static Results parse(String text) {
    Map<String, @Nullable Object> json = Json.readObject(text);
    Results results = new Results();
    map(json.get("about")).forEach((name, value) -> results.about.put(name, value.toString()));
    map(json.get("missing"))
        .forEach((id, why) -> results.missing.put(Contender.of(id), why.toString()));
    for (Object each : list(json.get("failures"))) {
      results.fail(key(map(each)), String.valueOf(map(each).get("why")));
    }
    for (Object each : list(json.get("results"))) {
      Map<String, Object> object = map(each);
      CellKey key = key(object);
      map(object.get("values"))
          .forEach(
              (name, list) -> {
                for (Object value : list(list)) {
                  results.add(key, name, value == null ? Double.POSITIVE_INFINITY : (Double) value);
                }
              });
    }
    return results;
  }

  private void add(CellKey key, String figure, double value) {
    values
        .computeIfAbsent(key, _ -> new TreeMap<>())
        .computeIfAbsent(figure, _ -> new ArrayList<>())
        .add(value);
  }

  private static CellKey key(Map<String, Object> object) {
    Row row = Row.of(String.valueOf(object.get("row"))).getFirst();
    Contender contender = Contender.of(String.valueOf(object.get("contender")));
    return new CellKey(row, contender, number(object.get("procs")), number(object.get("size")));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object json) {
    return (Map<String, Object>) Objects.requireNonNull(json);
  }

  private static List<?> list(@Nullable Object json) {
    return (List<?>) Objects.requireNonNull(json);
  }

  private static int number(@Nullable Object json) {
    return ((Double) Objects.requireNonNull(json)).intValue();
  }
}
