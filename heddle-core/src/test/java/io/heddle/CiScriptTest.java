package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The step of {@code .ci/run} that tests on several JDKs finds those of which a test failed. */
@HangGuard
class CiScriptTest {
  private static final Path SCRIPT = Path.of("../.ci/run").toAbsolutePath().normalize();

  /** How Maven 3.8 and 3.9 name the plugin. */
  private static final String OLD =
      "[INFO] --- maven-surefire-plugin:3.5.4:test (%s) @ heddle ---\n";

  private static final String NEW = "[INFO] --- surefire:3.5.4:test (%s) @ heddle ---\n";

  @TempDir private Path dir;

  @BeforeEach
  void twoJdksThatPassed() throws IOException {
    for (String jdk : new String[] {"jdk25", "jdk27"}) {
      Path java = dir.resolve(jdk).resolve("bin/java");
      Files.createDirectories(java.getParent());
      assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
      report("heddle-core", jdk, 90, 0);
      report("heddle-junit", jdk, 20, 0);
      for (String suite : new String[] {"", "-on-the-jdks-scheduler", "-golang"}) {
        report("heddle-conformance", jdk + suite, 300, 0);
      }
    }
    log("");
  }

  @Test
  void jdksThatPassedAreNotBroken() throws Exception {
    log(OLD.formatted("jdk25") + "[INFO] Tests run: 90\n" + NEW.formatted("jdk27-golang"));
    assertThat(broken()).isEmpty();
  }

  @Test
  void onlyJdksThatArePresentAreExpected() throws Exception {
    assertThat(bash("echo $(present) / $(present no)")).isEqualTo("25 27 / 26 28\n");
  }

  @Test
  void failedTestBreaksItsJdk() throws Exception {
    report("heddle-junit", "jdk27", 20, 1);
    assertThat(broken()).isEqualTo("jdk27\n");
  }

  @Test
  void missingReportBreaksItsJdk() throws Exception {
    Files.delete(dir.resolve("heddle-conformance/target/surefire-reports-jdk25-golang/TEST-a.xml"));
    assertThat(broken()).isEqualTo("jdk25\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void crashBreaksItsJdk(String line) throws Exception {
    log(
        line.formatted("jdk25")
            + "[INFO] Tests run: 90\n"
            + line.formatted("jdk27-golang")
            + "[ERROR] The forked VM terminated without properly saying goodbye.\n"
            + line.formatted("default-test")
            + "[ERROR] There was a timeout in the fork\n");
    assertThat(broken()).isEqualTo("jdk27\n");
  }

  private void report(String module, String suite, int run, int failures) throws IOException {
    Path folder = dir.resolve(module).resolve("target/surefire-reports-" + suite);
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("TEST-a.xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="a.ATest" time="1.0" tests="%d" errors="0" skipped="1"
            failures="%d">
        </testsuite>
        """
            .formatted(run, failures));
  }

  private void log(String text) throws IOException {
    Files.createDirectories(dir.resolve("target"));
    Files.writeString(dir.resolve("target/each-jdk.log"), text);
  }

  private String broken() throws Exception {
    return bash("broken_jdks | sort -u");
  }

  private String bash(String command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "source '" + SCRIPT + "' && " + command)
            .directory(dir.toFile())
            .redirectErrorStream(true);
    builder.environment().put("OTHER_JDKS", dir.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
