package io.heddle.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Limit;
import io.heddle.Scheduler;
import io.heddle.cluster.Cluster;
import io.heddle.testkit.PrometheusText;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.Yaml;

/**
 * Every metric, label and attribute that the board, the alerts, the rule files and the guide name
 * exists.
 *
 * <p>The file is long because it checks all files of the folder against the same figures.
 */
@Timeout(60)
class ObservabilityFilesTest {
  private static final Path FOLDER = Path.of("..", "observability");
  private static final Path GUIDE = Path.of("..", "docs", "guide", "observability.md");

  /** The beginnings of the names that jmx_exporter gives to figures. */
  private static final String BEAN = "io.heddle<type=Scheduler, name=files";

  private static final String BEAN_OF_WATCH = "io.heddle<type=Watch";

  private static final Pattern METRIC = Pattern.compile("\\bheddle_\\w+");

  /** A metric with its conditions: {@code x{a="1",b=~"2|3"}}. */
  private static final Pattern SELECTOR = Pattern.compile("\\b(heddle_\\w+)\\{([^}]*)}");

  private static final Pattern CONDITION = Pattern.compile("(\\w+)(=~|=)\"([^\"]*)\"");
  private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");

  /** The two names of the histogram; an expression must have both. */
  private static final Set<String> HISTOGRAM =
      Set.of("heddle_sched_latency_seconds_bucket", "heddle_sched_latency_histogram_total");

  /** The metrics of watch mode, which the dashboard does not have. */
  private static final String WATCH = "heddle_watch_";

  private static final String CONTAINER = "io.heddle:type=Container";
  private static final String CONTAINER_START = "io.heddle<type=Container";

  /** The labels that Prometheus adds. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  private static int port;
  private static Scheduler scheduler;
  private static FixedWatch watch;
  private static ExecutorService limited;
  private static PrometheusText dashboard;
  private static PrometheusText micrometer;

  @BeforeAll
  static void scrape() throws Exception {
    port = Scrapes.freePort();
    System.setProperty("heddle.dashboard", Integer.toString(port));
    try {
      scheduler =
          Scheduler.builder().name("files").procs(1).overload(Duration.ofMinutes(1)).build();
      limited = scheduler.executor(Limit.rejecting(3).named("jobs"));
    } finally {
      System.clearProperty("heddle.dashboard");
    }
    dashboard = Scrapes.get(port);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    watch = FixedWatch.register();
    try (HeddleMetrics metrics = new HeddleMetrics()) {
      metrics.bindTo(registry);
      String _ = registry.scrape(); // finds the limit
      micrometer = PrometheusText.parse(registry.scrape());
    }
  }

  @AfterAll
  static void close() throws JMException {
    limited.close();
    watch.close();
    scheduler.close();
  }

  @Test
  void dashboardAndMicrometerHaveTheSameMetrics() {
    Set<String> ofDashboard = new TreeSet<>(dashboard.names());
    Set<String> ofMicrometer = new TreeSet<>(micrometer.names());
    ofDashboard.removeAll(HISTOGRAM);
    ofMicrometer.removeAll(HISTOGRAM);
    ofMicrometer.removeIf(name -> name.startsWith(WATCH));
    assertThat(ofMicrometer).isEqualTo(ofDashboard).hasSizeGreaterThan(15);
    for (String name : ofDashboard) {
      assertThat(micrometer.labelsOf(name)).as(name).isEqualTo(dashboard.labelsOf(name));
      for (String label : dashboard.labelsOf(name)) {
        assertThat(micrometer.values(name, label))
            .as(name)
            .isEqualTo(dashboard.values(name, label));
      }
    }
    assertThat(micrometer.values("heddle_sched_latency_histogram_total", "le"))
        .isEqualTo(dashboard.values("heddle_sched_latency_seconds_bucket", "le"));
  }

  @Test
  void boardNamesOnlyWhatExists() throws IOException {
    assertThat(checkBoard("grafana.json", List.of(dashboard, micrometer), 3))
        .as("the board shows all")
        .containsAll(ofSchedulers());
  }

  @Test
  void boardOfWatchModeNamesOnlyWhatExists() throws IOException {
    assertThat(checkBoard("grafana-watch.json", List.of(micrometer), 2))
        .allMatch(name -> name.startsWith(WATCH))
        .containsAll(ofWatchMode());
  }

  /** Checks the expressions of a board, and returns the metrics that it shows. */
  private static Set<String> checkBoard(
      String file, List<PrometheusText> sources, int queriedVariables) throws IOException {
    Map<String, Object> board = read(file);
    List<String> expressions = new ArrayList<>();
    for (Map<String, Object> panel : list(board, "panels")) {
      for (Map<String, Object> target : list(panel, "targets")) {
        expressions.add((String) target.get("expr"));
      }
    }
    assertThat(expressions).hasSizeGreaterThan(6);
    expressions.forEach(expression -> check(expression, sources));
    List<String> variables =
        list(map(board.get("templating")), "list").stream()
            .map(variable -> (String) variable.getOrDefault("definition", ""))
            .filter(query -> !query.isEmpty())
            .toList();
    assertThat(variables).hasSize(queriedVariables);
    for (String query : variables) {
      assertThat(sources.getFirst().names()).containsAll(named(List.of(query)));
    }
    return named(expressions);
  }

  @Test
  void alertsNameOnlyWhatExists() throws IOException {
    List<Map<String, Object>> groups = list(read("alerts.yaml"), "groups");
    List<Map<String, Object>> rules = list(groups.getFirst(), "rules");
    assertThat(rules).hasSize(5);
    String guide = Files.readString(GUIDE);
    for (Map<String, Object> rule : rules) {
      assertThat(rule).containsOnlyKeys("alert", "expr", "for", "labels", "annotations");
      assertThat(map(rule.get("annotations"))).containsOnlyKeys("summary", "description");
      assertThat(map(rule.get("labels")).get("severity")).isIn("warning", "critical");
      check((String) rule.get("expr"), List.of(dashboard, micrometer));
      assertThat(guide).as("what to do").contains("`" + rule.get("alert") + "`");
    }
  }

  @Test
  void guideListsEveryMetric() throws Exception {
    String guide = Files.readString(GUIDE);
    Set<String> names = new TreeSet<>(dashboard.types().keySet());
    names.addAll(Set.of("heddle_sched_latency_histogram_total"));
    assertThat(names).allSatisfy(name -> assertThat(guide).contains("`" + name));
    Set<String> listed = new TreeSet<>(named(List.of(guide)));
    listed.removeAll(dashboard.names());
    listed.removeAll(micrometer.names());
    listed.removeAll(names);
    listed.removeAll(withAllParts());
    assertThat(listed).as("in the guide, but not there").isEmpty();
  }

  /**
   * Returns the metrics of the dashboard when limits, overload control and a cluster are in use.
   */
  private static Set<String> withAllParts() throws Exception {
    try (Scheduler more =
            Scheduler.builder().name("more").procs(1).overload(Duration.ofSeconds(1)).build();
        ExecutorService executor = more.executor(Limit.blocking(1).named("reports"));
        Cluster cluster = Cluster.open("local:files")) {
      executor.submit(() -> {}).get();
      cluster.chan("orders", String.class).open().send("one");
      return new TreeSet<>(Scrapes.get(port).types().keySet());
    }
  }

  @Test
  void ruleFileOfOpenTelemetryNamesOnlyWhatExists() throws Exception {
    Map<String, Double> attributes = attributes();
    List<Map<String, Object>> rules = list(read("otel-jmx.yaml"), "rules");
    assertThat(rules).hasSize(3);
    Set<String> missing = shown();
    for (Map<String, Object> rule : rules) {
      String type = startOf((String) rule.get("bean"));
      map(rule.get("mapping"))
          .forEach(
              (path, mapping) -> {
                String[] parts = path.split("\\.");
                String bean = (parts.length == 2 ? "<" + parts[0] + ">" + parts[1] : "<>" + path);
                assertThat(attributes).containsKey(type + ">" + bean);
                missing.remove(checkMapping(map(mapping)));
              });
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void ruleFileOfJmxExporterNamesOnlyWhatExists() throws Exception {
    List<String> beans = new ArrayList<>(attributes().keySet());
    beans.replaceAll(bean -> bean + ": 1.0");
    Set<String> names = new TreeSet<>();
    for (Map<String, Object> rule : list(read("jmx-exporter.yaml"), "rules")) {
      Pattern pattern = Pattern.compile("^.*(?:" + rule.get("pattern") + ").*$");
      List<Matcher> matches =
          beans.stream().map(pattern::matcher).filter(Matcher::matches).toList();
      assertThat(matches).as("%s", rule.get("pattern")).isNotEmpty();
      for (Matcher match : matches) {
        String name = match.replaceAll((String) rule.get("name"));
        String exported = name + (rule.get("type").equals("COUNTER") ? "_total" : "");
        names.add(exported);
        Map<String, Object> labels =
            new LinkedHashMap<>(map(rule.getOrDefault("labels", Map.of())));
        labels.replaceAll((_, value) -> match.replaceAll(value.toString()));
        boolean isOfScheduler =
            !exported.startsWith(WATCH) && !exported.startsWith("heddle_container_");
        assertThat(labels.remove("scheduler")).isEqualTo(isOfScheduler ? "files" : null);
        assertThat(labels.remove("id")).isEqualTo(isOfScheduler ? "" : null);
        labels.forEach(
            (label, value) ->
                assertThat(micrometer.values(exported, label)).as(exported).contains("" + value));
      }
    }
    assertThat(micrometer.names()).containsAll(names);
    assertThat(names).containsAll(shown());
  }

  /** A second scheduler of the same name must not be exported as the first. */
  @Test
  void patternsOfJmxExporterTellIdsApart() throws IOException {
    String bean = "io.heddle<type=Scheduler, name=a, id=2, key=0.1><>LatencyBuckets: 3";
    for (Map<String, Object> rule : list(read("jmx-exporter.yaml"), "rules")) {
      Matcher match = Pattern.compile("^.*(?:" + rule.get("pattern") + ").*$").matcher(bean);
      if (match.matches()) {
        assertThat(match.group(1)).isEqualTo("a");
        assertThat(match.group(2)).isEqualTo("2");
        assertThat(match.group(3)).isEqualTo("0.1");
        return;
      }
    }
    throw new AssertionError("no rule for " + bean);
  }

  /** Checks a rule of OpenTelemetry, and returns the name of its metric in Prometheus. */
  private static String checkMapping(Map<String, Object> mapping) {
    String name = ((String) mapping.get("metric")).replace('.', '_');
    boolean isCounter = mapping.get("type").equals("counter");
    assertThat(mapping.get("type")).isIn("counter", "updowncounter");
    assertThat(mapping.get("unit").toString()).as("adds nothing to the name").matches("\\{\\w+}");
    String exported = isCounter ? name + "_total" : name;
    assertThat(micrometer.names()).contains(exported);
    if (mapping.containsKey("metricAttribute")) {
      map(mapping.get("metricAttribute"))
          .forEach(
              (label, value) ->
                  assertThat(micrometer.values(exported, label))
                      .as(exported)
                      .contains(value.toString().replaceFirst("const\\((.*)\\)", "$1")));
    }
    return exported;
  }

  /** The metrics that every source but the dashboard has, without the sums of the latencies. */
  private static Set<String> shown() {
    Set<String> names = new TreeSet<>(micrometer.names());
    names.removeIf(name -> name.startsWith("heddle_sched_latency_seconds"));
    names.removeIf(name -> name.startsWith(WATCH + "wait_seconds"));
    return names;
  }

  private static Set<String> ofSchedulers() {
    Set<String> names = shown();
    names.removeIf(name -> name.startsWith(WATCH));
    return names;
  }

  private static Set<String> ofWatchMode() {
    Set<String> names = shown();
    names.removeIf(name -> !name.startsWith(WATCH));
    return names;
  }

  private static Set<String> named(List<String> texts) {
    Set<String> names = new TreeSet<>();
    texts.forEach(text -> METRIC.matcher(text).results().forEach(m -> names.add(m.group())));
    return names;
  }

  /** Checks the metrics, labels and values of labels in an expression of PromQL. */
  private static void check(String expression, List<PrometheusText> sources) {
    Set<String> names = named(List.of(expression));
    assertThat(names).as(expression).isNotEmpty();
    for (PrometheusText source : sources) {
      Set<String> missing = new TreeSet<>(names);
      missing.removeAll(source.names());
      if (names.stream().anyMatch(HISTOGRAM::contains)) {
        assertThat(names).as(expression).containsAll(HISTOGRAM);
        missing.removeAll(HISTOGRAM);
      }
      assertThat(missing).as(expression).isEmpty();
    }
    SELECTOR.matcher(expression).results().forEach(each -> checkSelector(each, expression));
    GROUPING
        .matcher(expression)
        .results()
        .flatMap(by -> Stream.of(by.group(1).split(",\\s*")))
        .filter(label -> !ADDED.contains(label))
        .forEach(
            label ->
                assertThat(names)
                    .as(expression)
                    .allMatch(name -> sourceOf(name).labelsOf(name).contains(label)));
  }

  private static void checkSelector(MatchResult selector, String expression) {
    String name = selector.group(1);
    CONDITION
        .matcher(selector.group(2))
        .results()
        .filter(condition -> !ADDED.contains(condition.group(1)))
        .forEach(
            condition -> {
              Set<String> values = sourceOf(name).values(name, condition.group(1));
              assertThat(values).as(expression).isNotEmpty();
              if (!condition.group(3).startsWith("$")) {
                assertThat(values).as(expression).contains(condition.group(3).split("\\|"));
              }
            });
  }

  private static PrometheusText sourceOf(String name) {
    return dashboard.names().contains(name) ? dashboard : micrometer;
  }

  /**
   * The figures of the beans of {@link #scheduler}, {@link #watch} and the container, under the
   * names that jmx_exporter gives them.
   */
  private static Map<String, Double> attributes() throws Exception {
    Map<String, Double> found = new LinkedHashMap<>();
    attributes("io.heddle:type=Scheduler,name=files", BEAN, found);
    attributes("io.heddle:type=Watch", BEAN_OF_WATCH, found);
    attributes(CONTAINER, CONTAINER_START, found);
    return found;
  }

  private static void attributes(String beanName, String start, Map<String, Double> found)
      throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName bean = new ObjectName(beanName);
    while (!server.isRegistered(bean)) {
      Thread.onSpinWait();
    }
    for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
      String name = attribute.getName();
      Object value = server.getAttribute(bean, name);
      if (value instanceof Number number) {
        found.put(start + "><>" + name, number.doubleValue());
      } else if (value instanceof CompositeData data) {
        numbers(start + "><" + name + ">", data, found);
      } else if (value instanceof TabularData table) {
        for (Object row : table.values()) {
          CompositeData data = (CompositeData) row;
          String key = start + ", key=" + data.get("key") + "><";
          if (data.get("value") instanceof CompositeData figures) {
            numbers(key + name + ">", figures, found);
          } else {
            found.put(key + ">" + name, ((Number) data.get("value")).doubleValue());
          }
        }
      }
    }
  }

  private static void numbers(String start, CompositeData data, Map<String, Double> found) {
    for (String key : data.getCompositeType().keySet()) {
      if (data.get(key) instanceof Number number) {
        found.put(start + key, number.doubleValue());
      }
    }
  }

  /** How jmx_exporter begins the names of the figures of each bean in OpenTelemetry's rules. */
  private static String startOf(String bean) {
    return switch (bean) {
      case CONTAINER -> CONTAINER_START;
      case "io.heddle:type=Watch" -> BEAN_OF_WATCH;
      default -> BEAN;
    };
  }

  private static Map<String, Object> read(String file) throws IOException {
    return map(new Yaml().load(Files.readString(FOLDER.resolve(file))));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> of, String key) {
    return (List<Map<String, Object>>) of.getOrDefault(key, List.of());
  }
}
