package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.heddle.bench.suite.Results.CellKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir Path folder;

  private final Results results = new Results();

  private void fill() {
    results.about.put("machine", "a \"good\" one");
    results.about.put("procs", "2");
    results.missing.put(Contender.TOKIO, "no cargo");
    for (int size : new int[] {1_000, 10_000}) {
      for (Contender each : new Contender[] {Contender.HEDDLE, Contender.GO}) {
        results.add(new CellKey(Row.GROWTH_SPAWN, each, 2, size), Map.of("nanos", 100.0 * size));
      }
    }
    results.add(new CellKey(Row.SPAWN, Contender.HEDDLE, 2, 1_000), Map.of("nanos", 100_000.0));
    results.add(new CellKey(Row.SPAWN, Contender.HEDDLE, 2, 1_000), Map.of("nanos", 120_000.0));
    results.add(new CellKey(Row.SPAWN, Contender.GO, 2, 1_000), Map.of("nanos", 55_000.0));
    Map<String, Double> noTick = Map.of("ticks", 0.0, "p50", 2e9, "p99", 2e9, "max", 2e9);
    results.add(new CellKey(Row.HOGS, Contender.JDK, 2, 2_000), noTick);
    results.fail(new CellKey(Row.RING, Contender.GO, 2, 1_000), "wrong result");
  }

  @Test
  void writtenResultsAreReadBack() throws IOException {
    fill();
    Path file = folder.resolve("a.json");
    results.write(file);
    Results read = Results.read(file);
    Path again = folder.resolve("b.json");
    read.write(again);
    assertThat(again).hasSameTextualContentAs(file);
    assertThat(read.about).isEqualTo(results.about);
    assertThat(read.missing).isEqualTo(results.missing);
    Figure ns = Row.SPAWN.figures.getFirst();
    assertThat(read.series(Row.SPAWN, Contender.HEDDLE, ns).values()).containsExactly(100.0, 120.0);
  }

  @Test
  void tableNamesBetterPeersMissingPeersAndFailures() {
    fill();
    String text = new ResultTable(results).text();
    assertThat(text)
        .contains("110 [100, 120]")
        .contains("Go 0.50")
        .contains("never")
        .contains("failed")
        .contains("Tokio is missing: no cargo")
        .contains("ring (procs 2, size 1000) failed: wrong result");
    assertThat(new ResultTable(results).markdown())
        .contains("| start and wait | ns | 110 [100, 120] |");
  }

  @Test
  void meanIncludesOnlyFiguresWithARatio() {
    fill();
    assertThat(GeometricMean.of(results, Contender.GO).ratio()).isEqualTo(0.5, within(1e-9));
    assertThat(GeometricMean.of(results, Contender.GO).count()).isEqualTo(1);
    assertThat(GeometricMean.of(results, Contender.JDK).show()).isEqualTo("–");
  }

  @Test
  void missingEventCountsAsTheObservationTime() {
    fill();
    Map<String, Double> ticks = Map.of("ticks", 9.0, "p50", 1e6, "p99", 1e7, "max", 2e7);
    results.add(new CellKey(Row.HOGS, Contender.HEDDLE, 2, 2_000), ticks);
    assertThat(GeometricMean.of(results, Contender.JDK).count()).isZero();
    assertThat(GeometricMean.atLeast(results, Contender.JDK).ratio()).isEqualTo(100, within(1e-9));
    assertThat(new ResultTable(results).text()).contains("of 0 rows; 100.00 if never is 1 s");
  }

  @Test
  void pageIsSelfContained() throws IOException {
    fill();
    Path page = new ResultPages(results).write(folder.resolve("c.json")).getLast();
    assertThat(page).hasFileName("c.html");
    String html = Files.readString(page);
    assertThat(html).contains("<polyline").contains("prefers-color-scheme: dark");
    assertThat(html).doesNotContain("src=").doesNotContain("href=").doesNotContain("NaN");
  }

  @Test
  void pageOfASlowerHeddleDoesNotCallItBetter() throws IOException {
    fill();
    Path page = new ResultPages(results).write(folder.resolve("d.json")).getLast();
    String html = Files.readString(page);
    String plot = html.substring(html.indexOf("Heddle compared with each peer"));
    plot = plot.substring(0, plot.indexOf("</svg>"));
    assertThat(plot)
        .contains("left of 1 the peer", ">Go</text>")
        .containsPattern("<title>Go: 0[.]50*</title>");
    assertThat(plot).as("no dot without a series").doesNotContain("var(--heddle)");
  }

  @Test
  void fewRoundsAreNotedWithTheMachine() {
    fill();
    assertThat(new ResultTable(results).notes("")).doesNotContain("Only");
    results.about.put("rounds", "1");
    assertThat(new ResultTable(results).notes("- "))
        .contains("- Only one round: other load", "CPU: a \"good\" one");
    results.about.put("rounds", "5");
    assertThat(new ResultTable(results).notes("")).doesNotContain("Only");
  }

  @Test
  void foreignOrMissingFileIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), "{\"about\":1}");
    assertThatThrownBy(() -> Results.read(file))
        .hasMessageContaining("x.json is not a result file");
    Path none = folder.resolve("none.json");
    assertThatThrownBy(() -> Results.read(none))
        .hasMessageContaining("none.json cannot be read: NoSuchFileException");
  }
}
