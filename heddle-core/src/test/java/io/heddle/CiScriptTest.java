package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code .ci/run} runs every phase, and ends with a list of what failed. Its step for several JDKs
 * finds those on which a test failed.
 */
@HangGuard
class CiScriptTest {
  private static final Path SCRIPT = Path.of("../.ci/run");

  /** Fails a test in the first phase, has no report in the second, and crashes in the third. */
  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      case "$*" in
        *-Prest*) echo '[ERROR] COMPILATION ERROR'; exit 1 ;;
        *-Prelease*) echo '[INFO] --- surefire:3.5.4:test (staged) @ heddle-release ---'
                     echo '[ERROR] The forked VM terminated without properly saying goodbye.'; exit 1 ;;
        *-Pjdks*) for jdk in 25 28; do
                    mkdir -p heddle-core/target/surefire-reports-jdk$jdk
                    cp failed.xml heddle-core/target/surefire-reports-jdk$jdk/TEST-a.ATest.xml
                  done ;;
        *) mkdir -p heddle-core/target/surefire-reports
           cp failed.xml heddle-core/target/surefire-reports/TEST-a.ATest.xml ;;
      esac
      """;

  private static final String FAILED =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="a.ATest" time="1.0" tests="3" errors="1" skipped="1"
          failures="1">
        <testcase name="passes" classname="a.ATest" time="0.1"/>
        <testcase name="fails(String)[1]" classname="a.ATest" time="0.1">
          <failure message="&#10;Expecting:&#10;  &lt;1&gt;&#10;to be &quot;2&quot;" type="E"><![CDATA[at a.ATest]]></failure>
        </testcase>
        <testcase name="" classname="a.ATest" time="0.1">
          <error type="java.io.IOException"><![CDATA[java.io.IOException
          at a.ATest]]></error>
        </testcase>
        <testcase name="waits" classname="a.ATest" time="0.1">
          <skipped message="Assumption failed: no browser"/>
        </testcase>
      </testsuite>
      """;

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

  /** Maven's reports on JDK 28 list failures, too, and are left out. */
  @Test
  void everyPhaseRunsAndFailuresAreListedLast() throws Exception {
    Files.writeString(dir.resolve("failed.xml"), FAILED);
    Path maven = dir.resolve("mvn");
    Files.writeString(maven, MAVEN);
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    String offline = "install_missing() { :; }; nats_server() { :; }; get_jdks() { :; }; ";
    String out = bash(offline + "PATH=.:$PATH; main; echo exit $?");
    assertThat(out)
        .endsWith(
            """
            [ci] skipped tests: 3
              heddle-core a.ATest.waits: no browser
              heddle-core jdk25 a.ATest.waits: no browser
              heddle-core jdk28 a.ATest.waits: no browser

            [ci] failures: 9
              mvn verify: heddle-core a.ATest.fails(String)[1]: Expecting: <1> to be "2"
              mvn verify: heddle-core a.ATest: java.io.IOException
              the rest: [ERROR] COMPILATION ERROR
              the release: heddle-release staged: the tests crashed, or took too long
              the release: [ERROR] The forked VM terminated without properly saying goodbye.
              each JDK: heddle-core jdk25 a.ATest.fails(String)[1]: Expecting: <1> to be "2"
              each JDK: heddle-core jdk25 a.ATest: java.io.IOException
              each JDK: tests failed, or did not run, on jdk25
              each JDK: tests failed, or did not run, on jdk27
            exit 1
            """);
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
    Files.createDirectories(dir.resolve("target/ci"));
    Files.writeString(dir.resolve("target/ci/each-JDK.log"), text);
  }

  private String broken() throws Exception {
    return bash("broken_jdks | sort -u");
  }

  /** Runs {@code command} after a copy of the script, because the script works where it is. */
  private String bash(String command) throws Exception {
    Path script = dir.resolve(".ci/run");
    Files.createDirectories(script.getParent());
    Files.copy(SCRIPT, script, StandardCopyOption.REPLACE_EXISTING);
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "source .ci/run && " + command)
            .directory(dir.toFile())
            .redirectErrorStream(true);
    builder.environment().put("OTHER_JDKS", dir.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
