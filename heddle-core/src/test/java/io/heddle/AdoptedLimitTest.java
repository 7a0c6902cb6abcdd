package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits and schedulers of adopted threads, in a program that does not use Heddle. */
@HangGuard
class AdoptedLimitTest {
  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=adopt,limit=job-*:3",
        "=limit=job-*:3(block,600s),adopt=job-*,starter-*",
        "=adopt,limit=child.Jobs$JobMaker:3",
        "=adopt=job-*:jobs,starter-*:jobs,limit=child.Jobs$Job*:3"
      })
  void startOfOneMoreThreadWaits(String options) throws Exception {
    ChildJvm.Result result = child(options).run("child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("at most 3, refused false\n");
  }

  @SideBySide
  @Test
  void startOfOneMoreThreadIsRefused() throws Exception {
    ChildJvm.Result result = child("=adopt,limit=job-*:3(reject)").run("child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("at most 3, refused true\n")
        .containsPattern("[123] wait, then the limit job-\\* of 3 goroutines is full\n$");
  }

  @SideBySide
  @Test
  void patternsLeadToSchedulersOfTheirOwn() throws Exception {
    ChildJvm.Result result =
        child("=adopt=job-*:jobs(procs=1,timeslice=5ms),child.*:rest").run("child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("job heddle-jobs\n")
        .contains("other heddle-rest\n")
        .contains("child of job heddle-jobs\nchild heddle-rest\n")
        .contains("job of other heddle-rest\njob heddle-jobs\n")
        .doesNotContain("shared");
  }

  @SideBySide
  @Test
  void limitOfATenantMakesNoSharedScheduler() throws Exception {
    ChildJvm.Result result =
        child("=adopt=job-*:jobs,child.*:rest,limit=job-*:3").run("child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("at most 3, refused false\n")
        .endsWith("schedulers [jobs, rest]\n");
  }

  @SideBySide
  @Test
  void threadWithoutASchedulerOfItsOwnStaysWithItsCreator() throws Exception {
    ChildJvm.Result result =
        child("").env("HEDDLE_ADOPT", "job-*:jobs(background),other-*").run("child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("child of job heddle-jobs\nchild heddle-jobs\n")
        .contains("other heddle-shared\n");
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(
      strings = {"=limit=job-*:3", "=adopt,limit=job-*:3(caller)", "=adopt=job-*:jobs(procs=0)"})
  void invalidTextIsReportedAndNothingIsAdopted(String options) throws Exception {
    ChildJvm.Result result = child(options).run("child.Jobs");
    assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    assertThat(result.err()).contains("allowed");
    assertThat(result.out()).contains("refused false").doesNotContain("heddle");
    assertThat(result.exitCode()).isZero();
  }

  private static ChildJvm child(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
