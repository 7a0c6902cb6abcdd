package io.heddle.bench.channels;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link Channels} in rounds and prints one table. In a round the peers take turns for each
 * workload, with one fork each.
 *
 * <p>{@code java -jar benchmarks.jar channels [--quick] [--alloc] [--procs 1|2] [--rounds n]
 * [--works a,b]}.
 */
public final class ChannelsReport {
  private static final String BYTES = "gc.alloc.rate.norm";

  /** One line of the table. */
  private record ReportRow(ChannelWorkload work, int procs) {}

  private final ChannelsOptions options;
  private final Map<ReportRow, Map<Peer, CellFigures>> scores = new HashMap<>();

  private ChannelsReport(ChannelsOptions options) {
    this.options = options;
  }

  /** Runs the report. The exit code is 2 if the arguments are wrong, 1 if a benchmark failed. */
  public static void main(String[] args) throws RunnerException {
    try {
      ChannelsReport report = new ChannelsReport(ChannelsOptions.parse(List.of(args)));
      report.run();
      System.exit(report.isComplete() ? 0 : 1);
    } catch (IllegalArgumentException e) {
      System.err.println("channels: " + e.getMessage());
      System.exit(2);
    }
  }

  private void run() throws RunnerException {
    if (options.alloc()) {
      printSingleOperations();
    }
    for (int round = 1; round <= options.rounds(); round++) {
      for (ReportRow row : rows().toList()) {
        System.err.printf(
            "round %d of %d: %s, procs %d%n", round, options.rounds(), row.work.method, row.procs);
        runOnce(row);
      }
    }
    print();
  }

  private Stream<ReportRow> rows() {
    return options.works().stream()
        .flatMap(work -> options.procs().stream().map(procs -> new ReportRow(work, procs)));
  }

  private void runOnce(ReportRow row) throws RunnerException {
    String[] peers = row.work.peers().stream().sorted().map(Peer::name).toArray(String[]::new);
    ChainedOptionsBuilder fork =
        fork(row.procs).include(method(Channels.class, row.work.method)).param("on", peers);
    if (options.isShort()) {
      shorten(fork, row.work);
    }
    for (RunResult result : new Runner(fork.build()).run()) {
      Peer on = Peer.valueOf(result.getParams().getParam("on"));
      scores
          .computeIfAbsent(row, _ -> new HashMap<>())
          .computeIfAbsent(on, _ -> new CellFigures())
          .add(figure(result).getScore());
    }
  }

  /** An invocation of skynet is longer than an iteration of the other workloads. */
  private static void shorten(ChainedOptionsBuilder fork, ChannelWorkload work) {
    fork.warmupIterations(work == ChannelWorkload.SKYNET ? 1 : 2)
        .measurementIterations(work == ChannelWorkload.SKYNET ? 2 : 3)
        .measurementTime(TimeValue.milliseconds(600));
  }

  private static String method(Class<?> type, String name) {
    return "^" + type.getName().replace(".", "\\.") + "\\." + name + "$";
  }

  /** The options of one fork, equal for every peer. */
  private ChainedOptionsBuilder fork(int procs) {
    ChainedOptionsBuilder fork =
        new OptionsBuilder()
            .verbosity(VerboseMode.SILENT)
            .param("procs", Integer.toString(procs))
            .timeout(TimeValue.minutes(2))
            .jvmArgsAppend(
                Stream.concat(
                        Stream.of(
                            "--add-opens=java.base/java.lang=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow", // needed by JMH
                            "-Xms4g",
                            "-Xmx4g",
                            "-XX:+AlwaysPreTouch", // otherwise the first pass through the heap is
                            // measured, too
                            // measured
                            "-XX:+UseParallelGC"),
                        Peer.flags(procs).stream())
                    .toArray(String[]::new));
    return options.alloc() ? fork.addProfiler(GCProfiler.class) : fork;
  }

  private Result<?> figure(RunResult result) {
    return options.alloc()
        ? Objects.requireNonNull(result.getSecondaryResults().get(BYTES), BYTES)
        : result.getPrimaryResult();
  }

  private boolean isComplete() {
    return rows()
        .allMatch(
            row ->
                row.work.peers().stream()
                    .allMatch(peer -> scores.getOrDefault(row, Map.of()).containsKey(peer)));
  }

  private void print() {
    System.out.printf(
        "Java %s, %d CPUs, rounds: %d, %s per operation, median [least, most]%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        options.rounds(),
        options.alloc() ? "bytes" : "ns");
    String head = "| work | procs |" + join(List.of(Peer.values()), peer -> peer.title);
    System.out.println(head + join(others(), peer -> peer.title + " / " + Peer.HEDDLE.title));
    System.out.println("|---|--:" + "|--:".repeat(Peer.values().length + others().size()) + "|");
    rows().forEach(this::printRow);
    System.out.println();
    System.out.println(
        "\\* not a select: four senders share one queue. –: the peer has no such operation.");
    System.out.println();
  }

  /**
   * The peers that get a ratio to Heddle: fewer bytes are better, but a ratio to zero bytes means
   * nothing.
   */
  private List<Peer> others() {
    return options.alloc()
        ? List.of()
        : Arrays.stream(Peer.values()).filter(peer -> peer != Peer.HEDDLE).toList();
  }

  private static String join(List<Peer> peers, Function<Peer, String> cell) {
    return peers.stream().map(peer -> " " + cell.apply(peer) + " |").collect(Collectors.joining());
  }

  private void printRow(ReportRow row) {
    Map<Peer, CellFigures> by = scores.getOrDefault(row, Map.of());
    String figures = join(List.of(Peer.values()), peer -> cell(row, peer, by.get(peer)));
    String ratios = join(others(), peer -> ratio(by.get(peer), by.get(Peer.HEDDLE)));
    System.out.println("| " + row.work.title + " | " + row.procs + " |" + figures + ratios);
  }

  private String cell(ReportRow row, Peer peer, @Nullable CellFigures scores) {
    if (!row.work.peers().contains(peer)) {
      return "–";
    }
    String mark = row.work == ChannelWorkload.SELECT && peer == Peer.JUC ? " *" : "";
    return scores == null ? "failed" : scores.show(options.alloc() ? 1 : 0) + mark;
  }

  private static String ratio(@Nullable CellFigures theirs, @Nullable CellFigures ours) {
    return theirs == null || ours == null
        ? "–"
        : String.format(Locale.ROOT, "%.2f", theirs.median() / ours.median());
  }

  /** Prints Heddle's bytes per operation. */
  private void printSingleOperations() throws RunnerException {
    System.out.println("| Heddle, in a goroutine | procs | bytes |");
    System.out.println("|---|--:|--:|");
    for (int procs : options.procs()) {
      System.err.println("single operations, procs " + procs);
      Collection<RunResult> results =
          new Runner(fork(procs).include(method(Allocation.class, ".*")).build()).run();
      for (RunResult result : results) {
        System.out.printf(
            Locale.ROOT,
            "| %s | %d | %.2f |%n",
            result.getParams().getBenchmark().replaceFirst(".*\\.", ""),
            procs,
            figure(result).getScore());
      }
    }
    System.out.println();
  }
}
