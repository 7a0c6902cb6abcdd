package io.heddle.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The soak run for some seconds; for an hour with {@code mvn -Psoak verify}, or for
 * {@code -Dsoak.minutes}. With deliberate flaws, which must be detected.
 */
@Tag("full")
class SoakTest {
  private static final double MINUTES =
      Double.parseDouble(System.getProperty("heddle.soak.minutes", "0.33"));

  @TempDir private static Path dir;
  private static Path agent;

  private record Result(int exitCode, String out) {}

  @BeforeAll
  static void packTheAgent() throws Exception {
    agent = HeddleJar.agentIn(dir);
  }

  @Test
  void nothingIsLost() throws Exception {
    Path report = Path.of(System.getProperty("heddle.soak.report", dir + "/soak-report.md"));
    Result result = soak("minutes=" + MINUTES, "report=" + report);
    assertThat(result.out).contains("soak: nothing was lost");
    assertThat(result.exitCode).isZero();
    assertThat(Files.readString(report)).contains("**Nothing was lost.**").contains("| Channels |");
  }

  @Test
  void droppedValueOpenFileAndGrowingHeapAreDetected() throws Exception {
    Result result =
        soak(
            "seconds=5",
            "round=1",
            "flaw=drop",
            "flaw=descriptor",
            "flaw=heap",
            "report=" + dir + "/1.md");
    assertThat(result.out)
        .contains("messages received: ")
        .contains("descriptors open: files of the run: 1 instead of 0")
        .contains("the heap grows: ");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void leftoverGoroutineAndTimerAreDetected() throws Exception {
    Result result =
        soak(
            "seconds=3",
            "round=1",
            "rest=2",
            "flaw=goroutine",
            "flaw=timer",
            "report=" + dir + "/2.md");
    assertThat(result.out)
        .contains("no rest: scheduler wide: 1 goroutines, 0 timers")
        .contains("no rest: scheduler narrow: 0 goroutines, 1 timers");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void stalledWorkerIsDetectedAndDumped() throws Exception {
    Result result = soak("seconds=100", "patience=8", "flaw=stall", "report=" + dir + "/3.md");
    assertThat(result.out)
        .contains("has made no step after its ")
        .contains("io.heddle.stress.soak.Worker.standStill")
        .contains("Full thread dump");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void wrongArgumentsAreRefused() throws Exception {
    for (String arg : List.of("minutes=-1", "minutes=x", "hours=1", "", "flaw=none", "seed=1.5")) {
      Result result = soak(arg);
      assertThat(result.out).isEqualTo("soak: \"" + arg + "\": " + Plan.ALLOWED + "\n");
      assertThat(result.exitCode).isEqualTo(2);
    }
  }

  private static Result soak(String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(Soak.class.getName()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(dir, "soak", ".out");
    Process process =
        ChildJvm.bare()
            .flags("-ea", "-Xmx1g", "--enable-native-access=ALL-UNNAMED")
            .flags("-javaagent:" + agent + "=adopt")
            .flags("-cp", System.getProperty("java.class.path"))
            .builder(command.toArray(String[]::new))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      boolean ended = process.waitFor((long) (MINUTES * 60) + 300, TimeUnit.SECONDS);
      assertThat(ended).as(() -> "it does not end: " + read(out)).isTrue();
      return new Result(process.exitValue(), read(out));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
