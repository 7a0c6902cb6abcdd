package io.heddle.servers;

import io.heddle.servers.Program.Under;
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
 * The same servers under the same load on the JDK's scheduler and adopted by Heddle: both in JVMs of their own that stay
 * up, and asked in turns.
 */
public final class Report {
  private static final int HOG_MILLIS = 2000;
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
    for (Servers server : options.servers()) {
      measure(server);
    }
  }

  /** Of one server in one round; the CPU time is the server's alone. */
  private record Figures(double perSecond, double p50, double p99, double cpuMicros) {
    static Figures of(Load load, Program server) throws IOException {
      Duration before = server.cpuTime();
      Load.Outcome outcome = load.against(server.address());
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

  private void measure(Servers server) throws IOException {
    Map<Under, Program> programs = new EnumMap<>(Under.class);
    try {
      for (Under under : options.unders()) {
        programs.put(under, server.start(under));
      }
      for (Program program : programs.values()) {
        load(LoadKind.SMALL).lasting(Duration.ZERO, options.warmUp()).against(program.address());
      }
      for (LoadKind kind : options.loads()) {
        measure(server, kind, programs);
      }
    } finally {
      programs.values().forEach(Program::close);
    }
  }

  private void measure(Servers server, LoadKind kind, Map<Under, Program> programs)
      throws IOException {
    Load load = load(kind);
    Map<Under, List<Figures>> outcomes = new EnumMap<>(Under.class);
    for (int round = 0; round < options.rounds(); round++) {
      for (Map.Entry<Under, Program> program : programs.entrySet()) {
        outcomes
            .computeIfAbsent(program.getKey(), _ -> new ArrayList<>())
            .add(Figures.of(load, program.getValue()));
      }
    }
    outcomes.forEach((under, of) -> print(server, kind, under, of));
  }

  private Load load(LoadKind kind) {
    Load small = Load.of(Work.SQUARE, options.connections());
    Load rate = small.perSecond(options.rate());
    Load load =
        switch (kind) {
          case SMALL -> small;
          case WAIT -> Load.of(Work.waiting(5), options.connections());
          case RATE -> rate;
          case HOGS -> rate.hogs(CORES, Work.computing(HOG_MILLIS));
        };
    return load.lasting(Duration.ZERO, options.time());
  }

  private static void print(Servers server, LoadKind load, Under under, List<Figures> of) {
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

  /** Median, least and most. */
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
