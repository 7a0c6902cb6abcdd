package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle doctor} of real JVMs. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoctorTest {
  @TempDir private Path temporary;
  private Fixture fixture;

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new Fixture(temporary);
  }

  @Test
  void runningProgramIsExamined() throws Exception {
    fixture.file(
        "Served.java",
        """
        import io.heddle.*;
        void main() throws Exception {
          Go.main(() -> IO.println("ready"));
          System.in.read();
        }
        """);
    Process process = fixture.startProgram("Served.java");
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");
      Run run = Run.of("doctor", Long.toString(process.pid()));
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .containsPattern("^\\S.*Served.java\n")
          .containsPattern(
              "ok +Heddle (\\(not packaged\\)|[0-9.]+\\S*) is on: library, procs=[0-9]+[.]\n")
          .contains("Goroutines are mounted by: own")
          .contains("JDK " + Runtime.version());
      assertThat(run.out().lines().skip(1)).allMatch(line -> line.length() <= 80);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void commandLineWithoutTheFlagIsExplained() {
    Run run =
        Run.of("doctor", "--", Fixture.JAVA, "-cp", fixture.jar().toString(), "com.acme.Main");
    assertThat(run.exitCode()).isOne();
    assertThat(run.out().replaceAll("\\s+", " "))
        .containsPattern(
            "problem Heddle (\\(not packaged\\)|[0-9.]+\\S*) cannot run goroutines:"
                + " Heddle needs java.lang")
        .contains("--add-opens java.base/java.lang=ALL-UNNAMED or with -javaagent:heddle.jar.");
  }

  @Test
  @Tag("full")
  void commandLineWithTheAgentIsExamined() {
    Run run =
        Run.of(
            "doctor",
            "--",
            Fixture.JAVA,
            "-javaagent:" + fixture.jar() + "=adopt,procs=3",
            "-Dheddle.prosc=1",
            "com.acme.Main");
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("agent, adopts all threads, procs=3.")
        .contains("There is no setting heddle.prosc; the closest is heddle.procs.");
    assertThat(run.exitCode()).isOne();
  }

  @Test
  void commandLineInWatchModeIsExamined() {
    Run run =
        Run.of("doctor", "--", Fixture.JAVA, "-javaagent:" + fixture.jar() + "=watch", "Main");
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("is on: watch, observes the JDK's scheduler and changes nothing.")
        .doesNotContain("procs=", "Goroutines are mounted");
  }

  @Test
  void commandLineOfTheLauncherIsExamined() {
    Run run =
        Run.of("doctor", "--", Fixture.JAVA, "-jar", fixture.jar().toString(), "-cp", "a", "Main");
    assertThat(run.out().replaceAll("\\s+", " "))
        .contains("is on: launcher, adopts all threads, procs=");
  }

  @Test
  void wrongUseIsExplained() {
    for (List<String> words :
        List.of(List.of("mvn"), List.of("12", "13"), List.of("99999999999"), List.of("0"))) {
      List<String> command = new ArrayList<>(List.of("doctor"));
      command.addAll(words);
      Run run = Run.of(command.toArray(String[]::new));
      assertThat(run.exitCode()).as(words.toString()).isEqualTo(2);
      assertThat(run.err()).startsWith("heddle: '" + words.getLast());
    }
    assertThat(Run.of("doctor").err()).contains("the process id is missing");
    assertThat(Run.of("doctor", "4194303").err()).contains("there is no process 4194303");
  }
}
