package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quick lab: every thread model, with correct results (rule C1). */
@Tag("full")
class LabTest {
  private static final List<String> MODELS =
      List.of(
          "one thread per task",
          "ThreadPoolExecutor",
          "ForkJoinPool",
          "JDK virtual threads",
          "Heddle");

  private static final Pattern ROW_OF_PAGE =
      Pattern.compile("([0-9.]+)x</td><td class=\"plot\"><div style=\"width:([0-9.]+)%");
  private static final Pattern LINE_OF_TERMINAL = Pattern.compile("([0-9.]+)x (█+)");

  @TempDir private static Path dir;
  private static Path page;
  private static Run run;

  @BeforeAll
  @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  static void play() {
    page = dir.resolve("lab.html");
    run = Run.of("lab", "--quick", "--html", page.toString());
  }

  @Test
  void everyResultIsCorrect() {
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).doesNotContain("WRONG");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void c1_allModelsRunAllPrograms() {
    for (String model : MODELS) {
      assertThat(run.out().lines()).filteredOn(line -> line.startsWith("  " + model)).hasSize(6);
    }
    assertThat(run.out())
        .containsSubsequence(
            "\norder: ", "\nsum: ", "\nfind: ", "\npingpong: ", "\nhogs: ", "\nreads: ")
        .containsPattern("Heddle +1 P +[0-9.,]+ ms +9 0 1 2 3 4 5 6 7 8");
  }

  /**
   * Eight times faster in theory; a factor of two already excludes one-by-one execution under any
   * load.
   */
  @Test
  void c1_eightWaitingTasksOnOnePOverlap() {
    String find = run.out().substring(run.out().indexOf("\nfind: "));
    String heddle =
        find.lines().filter(line -> line.startsWith("  Heddle")).findFirst().orElseThrow();
    double ratio = Double.parseDouble(heddle.replaceAll(".* ([0-9.]+)x.*", "$1"));
    assertThat(ratio).isGreaterThan(2);
  }

  @Test
  void pageHasEveryProgramAndIsSelfContained() throws Exception {
    assertThat(run.out()).contains("wrote " + page);
    String html = Files.readString(page);
    assertThat(html.lines()).filteredOn(line -> line.startsWith("<h2>")).hasSize(6);
    assertThat(html.lines()).filteredOn(line -> line.contains("class=\"ours\"")).hasSize(6);
    assertThat(html).doesNotContain("http:", "https:", "src=", "wrong result");
  }

  /** On the terminal and on the page, the bars of a program have the order of its speed-ups. */
  @Test
  void longerBarIsFasterOnTheTerminalAndOnThePage() throws Exception {
    assertThat(Files.readString(page)).contains("A longer bar is faster.");
    for (String table : Files.readString(page).split("<h2>")) {
      assertBarsGrowWithSpeed(table, ROW_OF_PAGE, bar -> Double.parseDouble(bar));
    }
    for (String table : run.out().split("\n\n")) {
      assertBarsGrowWithSpeed(table, LINE_OF_TERMINAL, bar -> (double) bar.length());
    }
  }

  private static void assertBarsGrowWithSpeed(
      String table, Pattern row, ToDoubleFunction<String> length) {
    // The printed ratios are rounded: bars of equal ratios may differ.
    Comparator<double[]> bySpeed = Comparator.comparingDouble(found -> found[0]);
    List<Double> lengths =
        row.matcher(table)
            .results()
            .map(
                found ->
                    new double[] {
                      Double.parseDouble(found.group(1)), length.applyAsDouble(found.group(2))
                    })
            .sorted(bySpeed.thenComparingDouble(found -> found[1]))
            .map(found -> found[1])
            .toList();
    assertThat(lengths).isSorted();
    if (table.contains("x</td>") || table.contains("x █")) {
      assertThat(lengths).hasSizeGreaterThan(1);
    }
  }

  @Test
  void missingFolderOfThePageIsNamedBeforeTheLabRuns() {
    Path folder = dir.resolve("missing");
    Run wrong = Run.of("lab", "--quick", "--html", folder.resolve("x.html").toString());
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err()).contains("--html: the folder '" + folder + "' does not exist");
  }

  @Test
  void linesFitOnAScreen() {
    assertThat(run.out().lines())
        .filteredOn(line -> !line.startsWith("wrote "))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void onlyOptionSelectsPrograms() {
    Run some = Run.of("lab", "--quick", "--only", "order");
    assertThat(some.out()).contains("order: ").doesNotContain("sum: ");
    Run none = Run.of("lab", "--only", "ordr");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("there is no program 'ordr'. Did you mean 'order'?");
  }
}
