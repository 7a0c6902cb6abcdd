package io.heddle.junit.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.heddle.Bubble;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.WaitGroup;
import io.heddle.junit.HeddleTest;
import io.heddle.junit.SeedFailure;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The extension as a user meets it: run by JUnit's launcher. */
class HeddleTestTest {
  static int runs;

  /** Not found by name; each method fails, but the first. */
  static class Sample {
    private int count;

    @HeddleTest(seeds = 20)
    void passes() {
      assertThat(count++).as("each seed has its own object").isZero();
      runs++;
    }

    @HeddleTest
    void losesAnUpdate() throws Exception {
      WaitGroup all = new WaitGroup();
      for (int i = 0; i < 2; i++) {
        all.go(
            () -> {
              int before = count;
              Bubble.point();
              count = before + 1;
            });
      }
      all.await();
      runs++;
      assertThat(count).isEqualTo(2);
    }

    @HeddleTest
    void waitsForEver() throws Exception {
      Chan.make().receive();
    }

    @HeddleTest
    void leavesOneBehind() {
      Go.go("lost", () -> Chan.make().receive());
    }

    @HeddleTest(seeds = 0)
    void hasNoSeeds() {}
  }

  private static Throwable run(String method) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    runs = 0;
    LauncherFactory.create()
        .execute(request().selectors(selectMethod(Sample.class, method)).build(), summary);
    assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
    return summary.getSummary().getFailures().stream()
        .findAny()
        .map(failure -> failure.getException())
        .orElse(null);
  }

  /** Runs a test that passes, twice, in a JVM of its own. */
  public static void main(String[] args) {
    assertThat(run("passes")).isNull();
    assertThat(run("passes")).isNull();
  }

  @Test
  void withoutTheAgentOneLineTellsWhatIsMissed() throws Exception {
    ProcessBuilder child =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            HeddleTestTest.class.getName());
    child.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS"));
    Process process = child.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .containsOnlyOnce(
            "heddle: without -javaagent:heddle.jar a @HeddleTest switches only where");
  }

  @Test
  void everySeedIsRun() {
    assertThat(run("passes")).isNull();
    assertThat(runs).isEqualTo(20);
  }

  @Test
  void aFailureNamesTheSeedWhichFailsAgain() {
    Throwable failure = run("losesAnUpdate");
    assertThat(failure)
        .isInstanceOf(SeedFailure.class)
        .hasMessageContaining("To run it again: -Dheddle.seed=")
        .hasMessageNotContaining("another way");
    Matcher seed = Pattern.compile("-Dheddle.seed=(\\d+)").matcher(failure.getMessage());
    assertThat(seed.find()).isTrue();
    System.setProperty("heddle.seed", seed.group(1));
    try {
      assertThat(run("losesAnUpdate"))
          .hasMessageStartingWith("seed " + seed.group(1) + " (the only one tried)");
      assertThat(runs).isEqualTo(1);
      System.setProperty("heddle.seed", "x");
      assertThat(run("losesAnUpdate")).hasMessageContaining("heddle.seed is \"x\": allowed is");
    } finally {
      System.clearProperty("heddle.seed");
    }
  }

  @Test
  void aDeadlockAndALeftoverShowTheGoroutines() {
    assertThat(run("waitsForEver"))
        .hasMessageContaining("deadlock")
        .hasMessageContaining("goroutine 1 \"main\" [chan receive]")
        .hasMessageContaining("waitsForEver");
    assertThat(run("leavesOneBehind")).hasMessageContaining("\"lost\" [chan receive]");
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThat(run("hasNoSeeds")).hasMessageContaining("seeds = 0").hasMessageContaining("allowed");
  }
}
