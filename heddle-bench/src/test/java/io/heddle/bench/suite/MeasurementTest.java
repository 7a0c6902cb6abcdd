package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.bench.suite.Results.CellKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real processes of the contenders that every machine has, with small workloads; their output has
 * the expected form.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MeasurementTest {
  @TempDir Path folder;

  private final Results results = new Results();

  @Tag("full")
  @Test
  void heddleTwinRunsItsRows() {
    runRows(Contender.HEDDLE);
  }

  @Test
  @Tag("full")
  void jdkTwinRunsItsRows() {
    runRows(Contender.JDK);
  }

  private void runRows(Contender contender) {
    List<Row> rows = List.of(Row.GROWTH_SPAWN, Row.GROWTH_PAIRS, Row.GROWTH_SKYNET);
    Job job = new Job(contender, 2, rows, List.of(100, 1_000));
    measuring().run(job);
    assertThat(results.failures()).isEmpty();
    assertThat(results.keys()).containsExactlyInAnyOrderElementsOf(job.keys());
    for (CellKey key : job.keys()) {
      assertThat(results.series(key, key.row().figures.getFirst()).median()).isPositive();
    }
  }

  @Tag("full")
  @Test
  void echoServerIsMeasuredUnderLoad() {
    measuring()
        .run(
            new Job(Contender.JDK, 2, List.of(Row.ECHO), List.of(64))); // Heddle would need the jar
    assertThat(results.failures()).isEmpty();
    Figure rps = Row.ECHO.figures.getFirst();
    assertThat(results.series(Row.ECHO, Contender.JDK, rps).median()).isPositive();
  }

  @Test
  void failedProcessIsNamed() {
    measuring().run(new Job(Contender.JDK, 2, List.of(Row.MUTEX), List.of(-1)));
    assertThat(results.failures().values()).singleElement().asString().isNotBlank();
    assertThat(new ResultTable(results).text()).contains("failed");
  }

  @Test
  void contendersTakeTurns() {
    Options options = Options.parse(List.of("--only", "spawn,ring,http", "--procs", "3"));
    List<Job> jobs = Job.plan(options, Set.of(Contender.values()));
    assertThat(jobs.stream().filter(job -> job.rows().getFirst() == Row.RING))
        .extracting(Job::contender)
        .containsExactlyInAnyOrder(Contender.values());
    assertThat(jobs.getLast().rows()).containsExactly(Row.HTTP);
    assertThat(jobs).allMatch(job -> job.procs() == 3);
    assertThat(jobs).noneMatch(job -> !job.rows().getFirst().lack(job.contender()).isEmpty());
  }

  @Test
  void sizesThatExceedMemoryAreLeftOut() {
    Options options = Options.parse(List.of("--only", "growth"));
    assertThat(mostPairs(options, Contender.GO, 20L << 30)).isEqualTo(1_000_000);
    assertThat(mostPairs(options, Contender.HEDDLE, 20L << 30)).isEqualTo(10_000_000);
    assertThat(mostPairs(options, Contender.HEDDLE, 4L << 30)).isEqualTo(1_000_000);
    assertThat(mostPairs(options, Contender.GO, 0)).as("unknown").isEqualTo(10_000_000);
  }

  private static int mostPairs(Options options, Contender contender, long memory) {
    return Job.planGrowth(options, Set.of(contender), memory).stream()
        .filter(job -> job.rows().contains(Row.GROWTH_PAIRS))
        .flatMap(job -> job.sizes().stream())
        .mapToInt(size -> size)
        .max()
        .orElse(0);
  }

  private Measurement measuring() {
    Path classes = Path.of("target/classes").toAbsolutePath();
    Toolchains none = new Toolchains(folder, folder, List.of(), folder, folder);
    return new Measurement(new Commands(classes, none), results, Pace.QUICK);
  }
}
