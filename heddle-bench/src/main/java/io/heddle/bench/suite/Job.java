package io.heddle.bench.suite;

import io.heddle.bench.suite.Results.CellKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The work of one process: one row, or several growth rows in several sizes.
 *
 * <p>The protocol: the process gets the number of procs, the milliseconds to warm up and to
 * measure, and {@code row=size} for each row. It prints one line of JSON for each:
 * {@code {"row":…,"size":…,"samples":…,"check":…,"figures":{…}}}. The check must be what
 * {@link Row#expected} returns.
 */
record Job(Contender contender, int procs, List<Row> rows, List<Integer> sizes) {
  /** The size of growth rows over the number of procs. */
  static final int PROCS_SIZE = 100_000;

  /** The keys of all rows, size by size within each row. */
  List<CellKey> keys() {
    return rows.stream()
        .flatMap(row -> sizes.stream().map(size -> new CellKey(row, contender, procs, size)))
        .toList();
  }

  List<String> arguments() {
    return keys().stream().map(key -> key.row().twinName() + "=" + key.size()).toList();
  }

  /** The jobs of one round; the contenders take turns at each row. */
  static List<Job> plan(Options options, Set<Contender> present) {
    List<Job> jobs = new ArrayList<>();
    for (Row row : options.rows) {
      if (!row.isGrowth()) {
        present.stream()
            .filter(each -> row.lack(each).isEmpty())
            .forEach(each -> jobs.add(one(options, row, each)));
      }
    }
    return jobs;
  }

  private static Job one(Options options, Row row, Contender contender) {
    return new Job(
        contender, row.procs(options.procs), List.of(row), List.of(row.size(options.quick)));
  }

  /**
   * The jobs of the growth rows: over the sizes that fit into {@code memory}, and over the numbers
   * of procs. In a quick run some contenders skip some sizes.
   */
  static List<Job> planGrowth(Options options, Set<Contender> present, long memory) {
    List<Integer> sizes =
        IntStream.rangeClosed(3, options.quick ? 5 : 7)
            .mapToObj(power -> (int) Math.pow(10, power))
            .toList();
    List<Job> jobs = new ArrayList<>();
    for (Contender each : present) {
      List<Row> rows =
          options.rows.stream().filter(row -> row.isGrowth() && row.lack(each).isEmpty()).toList();
      if (!rows.isEmpty() && (!options.quick || isMain(each))) {
        for (Row row : rows) {
          // all tasks of the pairs wait at once
          List<Integer> fitting =
              sizes.stream().filter(n -> row != Row.GROWTH_PAIRS || each.fits(n, memory)).toList();
          jobs.add(new Job(each, options.procs, List.of(row), fitting));
        }
        (options.quick ? List.<Integer>of() : List.of(1, 2, 4, 8, 16))
            .stream()
                .filter(procs -> procs != options.procs)
                .forEach(procs -> jobs.add(new Job(each, procs, rows, List.of(PROCS_SIZE))));
      }
    }
    jobs.sort(
        Comparator.comparing((Job job) -> job.sizes.size() == 1)
            .thenComparingInt(job -> job.procs)
            .thenComparing(job -> job.rows.getFirst()));
    return jobs;
  }

  private static boolean isMain(Contender contender) {
    return contender == Contender.HEDDLE || contender == Contender.GO || contender == Contender.JDK;
  }
}
