package io.heddle.servers;

import io.heddle.servers.ChildProgram.SchedulerChoice;
import io.heddle.servers.ReportOptions.LoadKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Compares servers under the same load on the JDK's scheduler and adopted by Heddle: both run in
 * separate JVMs that stay up, and are loaded in turns.
 */
public final class Report {
  private static final int HOG_MILLIS = 2000;

  /** The backlog; with the default of 50, a further client would retry only after a second. */
  private static final int BACKLOG = 40;

  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final ReportOptions options;

  private Report(ReportOptions options) {
    this.options = options;
  }

  public static void main(String[] args) throws IOException {
    try {
      new Report(ReportOptions.parse(args)).all();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  private void all() throws IOException {
    head();
    for (ServerKind server : options.servers()) {
      measure(server);
    }
  }

  /** The figures of one server in one round; the CPU time is the server's alone. */
  private record Figures(double perSecond, double p50, double p99, double cpuMicros) {
    static Figures of(LoadGenerator load, ChildProgram server) throws IOException {
      Duration before = server.cpuTime();
      LoadGenerator.Outcome outcome = load.against(server.address());
      Duration cpuTime = server.cpuTime().minus(before);
      return new Figures(
          outcome.perSecond(),
          outcome.millis(50),
          outcome.millis(99),
          cpuTime.toNanos() / 1e3 / outcome.answers());
    }
  }

  private void head() {
    System.out.println(
        "| server | load | scheduler | requests/s | p50, ms | p99, ms | CPU per request, us |");
    System.out.println("|---|---|---|--:|--:|--:|--:|");
  }

  private void measure(ServerKind server) throws IOException {
    Map<SchedulerChoice, ChildProgram> programs = new EnumMap<>(SchedulerChoice.class);
    try {
      for (SchedulerChoice under : options.unders()) {
        programs.put(under, server.start(under));
      }
      for (ChildProgram program : programs.values()) {
        load(LoadKind.SMALL).lasting(Duration.ZERO, options.warmUp()).against(program.address());
      }
      for (LoadKind kind : options.loads()) {
        measure(server, kind, programs);
      }
    } finally {
      programs.values().forEach(ChildProgram::close);
    }
  }

  private void measure(
      ServerKind server, LoadKind kind, Map<SchedulerChoice, ChildProgram> programs)
      throws IOException {
    LoadGenerator load = load(kind);
    Map<SchedulerChoice, List<Figures>> outcomes = new EnumMap<>(SchedulerChoice.class);
    for (int round = 0; round < options.rounds(); round++) {
      for (Map.Entry<SchedulerChoice, ChildProgram> program : programs.entrySet()) {
        Figures figures = Figures.of(load, program.getValue());
        outcomes.computeIfAbsent(program.getKey(), _ -> new ArrayList<>()).add(figures);
        System.err.println(
            ReportOptions.name(server)
                + " "
                + ReportOptions.name(kind)
                + " "
                + ReportOptions.name(program.getKey())
                + " "
                + figures);
      }
    }
    outcomes.forEach((under, of) -> print(server, kind, under, of));
  }

  private LoadGenerator load(LoadKind kind) {
    LoadGenerator small = LoadGenerator.of(RequestSpec.SQUARE, options.connections());
    LoadGenerator rate = small.perSecond(options.rate());
    LoadGenerator load =
        switch (kind) {
          case SMALL -> small;
          case SHORT ->
              LoadGenerator.of(
                  RequestSpec.SQUARE.onceEach(), Math.min(options.connections(), BACKLOG));
          case WAIT -> LoadGenerator.of(RequestSpec.waiting(5), options.connections());
          case RATE -> rate;
          case HOGS -> rate.hogs(CORES, RequestSpec.computing(HOG_MILLIS));
        };
    return load.lasting(Duration.ZERO, options.time());
  }

  private static void print(
      ServerKind server, LoadKind load, SchedulerChoice under, List<Figures> of) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %s |%n",
        ReportOptions.name(server),
        ReportOptions.name(load),
        ReportOptions.name(under).replace('_', ' '),
        summary("%.0f", of, Figures::perSecond),
        summary("%.2f", of, Figures::p50),
        summary("%.2f", of, Figures::p99),
        summary("%.1f", of, Figures::cpuMicros));
  }

  /** Formats median, least and most. */
  private static String summary(String format, List<Figures> of, ToDoubleFunction<Figures> figure) {
    double[] sorted = of.stream().mapToDouble(figure).sorted().toArray();
    int n = sorted.length;
    double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return String.format(
        Locale.ROOT,
        format + " [" + format + ", " + format + "]",
        median,
        sorted[0],
        sorted[n - 1]);
  }
}
