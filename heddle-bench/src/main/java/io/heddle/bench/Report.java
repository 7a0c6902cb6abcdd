package io.heddle.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the JMH benchmarks in rounds, in which the schedulers take turns, and prints one table of
 * medians and their ratio. They take turns because machines are noisy: a disturbance then affects
 * both.
 *
 * <p>{@code java -jar benchmarks.jar [rounds] [JMH options]}.
 */
public final class Report {
  private Report() {}

  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    boolean hasRounds = args.length > 0 && args[0].matches("[1-9][0-9]{0,3}");
    int rounds = hasRounds ? Integer.parseInt(args[0]) : 5;
    String[] rest = hasRounds ? List.of(args).subList(1, args.length).toArray(String[]::new) : args;
    Map<String, Map<VirtualThreadScheduler, List<Double>>> scores = new TreeMap<>();
    for (int round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      for (RunResult result : runOnce(rest)) {
        add(scores, result);
      }
    }
    print(scores, rounds);
  }

  private static Collection<RunResult> runOnce(String[] args)
      throws RunnerException, CommandLineOptionException {
    CommandLineOptions given = new CommandLineOptions(args);
    ChainedOptionsBuilder options =
        new OptionsBuilder().parent(given).verbosity(VerboseMode.SILENT);
    if (given.getIncludes().isEmpty()) {
      options.include("(OneProc|TwoProcs)");
    }
    return new Runner(options.build()).run();
  }

  private static void add(
      Map<String, Map<VirtualThreadScheduler, List<Double>>> scores, RunResult result) {
    String full = result.getParams().getBenchmark();
    String name = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1);
    VirtualThreadScheduler on = VirtualThreadScheduler.valueOf(result.getParams().getParam("on"));
    scores
        .computeIfAbsent(name, _ -> new TreeMap<>())
        .computeIfAbsent(on, _ -> new ArrayList<>())
        .add(result.getPrimaryResult().getScore());
  }

  private static void print(
      Map<String, Map<VirtualThreadScheduler, List<Double>>> scores, int rounds) {
    System.out.printf(
        "Java %s, %d CPUs, %d rounds, median ns per operation [least, most]%n%n",
        Runtime.version(), Runtime.getRuntime().availableProcessors(), rounds);
    System.out.println("| work | Heddle | JDK | JDK / Heddle |");
    System.out.println("|---|--:|--:|--:|");
    scores.forEach(
        (name, by) -> {
          List<Double> ours = by.getOrDefault(VirtualThreadScheduler.HEDDLE, List.of());
          List<Double> theirs = by.getOrDefault(VirtualThreadScheduler.JDK, List.of());
          System.out.printf(
              "| %s | %s | %s | %.2f |%n",
              name, show(ours), show(theirs), median(theirs) / median(ours));
        });
  }

  private static String show(List<Double> values) {
    if (values.isEmpty()) {
      return "not run";
    }
    List<Double> sorted = values.stream().sorted().toList();
    return "%.0f [%.0f, %.0f]".formatted(median(values), sorted.getFirst(), sorted.getLast());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }
}
