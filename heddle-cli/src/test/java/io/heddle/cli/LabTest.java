package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab, small: every model of threads, with right results (rule C1). */
class LabTest {
  private static final List<String> MODELS =
      List.of(
          "one thread per task",
          "ThreadPoolExecutor",
          "ForkJoinPool",
          "JDK virtual threads",
          "Heddle");

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
  void everyResultIsRight() {
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

  /** Eight in theory; far less is enough to tell it from one after the other, whatever else the machine does. */
  @Test
  void c1_eightThatWaitOnOnePAreFasterThanOneAfterTheOther() {
    String find = run.out().substring(run.out().indexOf("\nfind: "));
    String heddle =
        find.lines().filter(line -> line.startsWith("  Heddle")).findFirst().orElseThrow();
    double ratio = Double.parseDouble(heddle.replaceAll(".* ([0-9.]+)x.*", "$1"));
    assertThat(ratio).isGreaterThan(2);
  }

  @Test
  void thePageHasEveryProgramAndNeedsNothingElse() throws Exception {
    assertThat(run.out()).contains("wrote " + page);
    String html = Files.readString(page);
    assertThat(html.lines()).filteredOn(line -> line.startsWith("<h2>")).hasSize(6);
    assertThat(html.lines()).filteredOn(line -> line.contains("class=\"ours\"")).hasSize(6);
    assertThat(html).doesNotContain("http:", "https:", "src=", "wrong result");
  }

  @Test
  void itFitsOnAScreen() {
    assertThat(run.out().lines())
        .filteredOn(line -> !line.startsWith("wrote "))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void onlySomeCanBeChosen() {
    Run some = Run.of("lab", "--quick", "--only", "order");
    assertThat(some.out()).contains("order: ").doesNotContain("sum: ");
    Run none = Run.of("lab", "--only", "ordr");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("there is no program 'ordr'. Did you mean 'order'?");
  }
}
