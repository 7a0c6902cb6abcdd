package io.heddle.bench.weaving;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the cost of yield checks, in rounds, with and without weaving in turns.
 * {@code java -jar benchmarks.jar weaving [rounds]}.
 */
public final class WeavingReport {
  private record LoopTimes(List<Double> plain, List<Double> woven) {
    LoopTimes() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private WeavingReport() {}

  public static void main(String[] args) throws Exception {
    int rounds = args.length == 0 ? 3 : Integer.parseInt(args[0]);
    String agent = "-javaagent:" + jar();
    Map<String, LoopTimes> scores = new TreeMap<>();
    for (int round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      run(agent).forEach((name, score) -> of(scores, name).plain.add(score));
      run(agent + "=preempt=" + Kernels.class.getName())
          .forEach((name, score) -> of(scores, name).woven.add(score));
    }
    System.out.println("| work | plain, ns | woven, ns | woven / plain |");
    System.out.println("|---|--:|--:|--:|");
    scores.forEach(WeavingReport::print);
  }

  private static LoopTimes of(Map<String, LoopTimes> scores, String name) {
    return scores.computeIfAbsent(name, _ -> new LoopTimes());
  }

  private static void print(String name, LoopTimes scores) {
    double plain = median(scores.plain);
    double woven = median(scores.woven);
    System.out.printf("| %s | %.0f | %.0f | %.2f |%n", name, plain, woven, woven / plain);
  }

  private static Map<String, Double> run(String flag) throws Exception {
    Map<String, Double> results = new TreeMap<>();
    for (RunResult result :
        new Runner(
                new OptionsBuilder()
                    .include(Loops.class.getName())
                    .jvmArgsAppend(flag)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run()) {
      String name = result.getParams().getBenchmark();
      results.put(name.substring(name.lastIndexOf('.') + 1), result.getPrimaryResult().getScore());
    }
    return results;
  }

  private static Path jar() throws Exception {
    return Path.of(Loops.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
