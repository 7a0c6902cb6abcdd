package io.heddle.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check finds what it is for, and a sound JVM has no finding to act on. */
class CheckupTest {
  private static final String ON =
      "version=0.1.0\n"
          + "from=file:/a/heddle.jar\n"
          + "loader=app\n"
          + "mode=agent, adopts all threads\n"
          + "procs=2\n"
          + "mount=own\n"
          + "feature.sockets=on\n";

  private final Properties properties = new Properties();
  private final Map<String, String> environment = new HashMap<>();
  private List<String> flags = List.of("-javaagent:/a/heddle.jar=adopt");
  private SystemLimits limits = SystemLimits.unknown();

  CheckupTest() {
    properties.setProperty("java.runtime.version", "25.0.5+11-LTS");
    properties.setProperty("io.heddle.status", ON);
  }

  @Test
  void soundJvmHasNoProblem() {
    assertThat(checkup())
        .allMatch(finding -> finding.level() == Finding.Level.OK && finding.remedy() == null);
    assertThat(texts())
        .containsExactly(
            "Heddle 0.1.0 is on: agent, adopts all threads, procs=2.",
            "Goroutines are mounted by: own.",
            "On: sockets.",
            "JDK 25.0.5+11-LTS: no bug known that leaves virtual threads hanging.");
  }

  @ParameterizedTest
  @CsvSource({
    "25+36-LTS,      'JDK-8369227,JDK-8373120'",
    "25.0.2+10-LTS,  'JDK-8369227,JDK-8373120'",
    "25.0.3+9-LTS,   JDK-8373120",
    "25.0.4+7,       ''",
    "25.0.5.0.1+3,   ''",
    "26+34,          JDK-8373120",
    "26.0.1+8,       ''",
    "26.0.2.1+1,     ''",
    "27-ea+18,       ''",
  })
  void knownBugsOfTheBuildAreNamed(String version, String bugs) {
    properties.setProperty("java.runtime.version", version);
    List<String> problems = problems();
    assertThat(problems).hasSize(bugs.isEmpty() ? 0 : bugs.split(",").length);
    for (String bug : bugs.isEmpty() ? new String[0] : bugs.split(",")) {
      assertThat(problems).anyMatch(problem -> problem.contains(bug) && problem.contains("Update"));
    }
  }

  @Test
  void olderJavaIsTold() {
    properties.setProperty("java.runtime.version", "1.8.0_412-b08");
    properties.setProperty("java.specification.version", "1.8");
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("This is Java 8; Heddle needs JDK 25 or newer", "25.0.5");
  }

  @Test
  void absentHeddleIsTold() {
    properties.remove("io.heddle.status");
    flags = List.of();
    assertThat(texts().getFirst()).contains("Heddle is not in this JVM");
    properties.setProperty("java.class.path", "a.jar:/m2/heddle-0.1.0.jar");
    assertThat(texts().getFirst()).contains("on the class path", "has not used it");
    flags = List.of("-javaagent:/a/heddle.jar");
    assertThat(problems().getFirst()).contains("agent", "has not started");
  }

  @Test
  void offIsTold() {
    properties.setProperty("io.heddle.status", "version=0.1.0\nmode=off, HEDDLE=off: plain\n");
    assertThat(checkup().getFirst())
        .isEqualTo(
            Finding.note(
                "Heddle 0.1.0 is off, HEDDLE=off: plain.",
                "Remove the setting to switch Heddle on."));
    assertThat(problems()).isEmpty();
  }

  @Test
  void missingFlagIsTold() {
    properties.setProperty(
        "io.heddle.status", "version=0.1.0\nfailure=start Java with --add-opens\n");
    assertThat(problems()).singleElement().asString().contains("start Java with --add-opens");
  }

  @Test
  void agentThatNothingUsesIsTold() {
    properties.setProperty("io.heddle.status", "version=0.1.0\nmode=agent, adopts no threads\n");
    assertThat(all()).contains("nothing runs on Heddle", "=adopt");
  }

  @Test
  void filterThatMatchesNothingIsTold() {
    String status = "version=0.1.0\nmode=agent, adopts tomcat*\nprocs=2\nfilter=";
    properties.setProperty("io.heddle.status", status + "\"http-*\" of acme.Server\n");
    assertThat(all())
        .contains("adopts tomcat*, and has met none so far", "\"http-*\" of acme.Server");
    assertThat(problems()).isEmpty();
    properties.setProperty("io.heddle.status", status + "matched\n");
    assertThat(all()).doesNotContain("none so far");
  }

  @Test
  void featureThatIsOffIsToldWithItsReason() {
    properties.setProperty("io.heddle.status", ON + "feature.clock=off: no field x=y\n");
    assertThat(problems()).singleElement().asString().contains("Off: clock: no field x=y.");
  }

  @Test
  void mountAndParallelismAreExplained() {
    properties.setProperty("io.heddle.status", ON.replace("mount=own", "mount=jdk"));
    environment.put("HEDDLE_MOUNT", "jdk");
    properties.setProperty("jdk.virtualThreadScheduler.parallelism", "4");
    assertThat(all())
        .contains(
            "because heddle.mount is jdk", "has no effect on adopted threads", "heddle.procs");
  }

  @Test
  void severalCopiesAreTold() {
    properties.setProperty("io.heddle.status.2", ON.replace("/a/", "/war/").replace("app", "web"));
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("2 copies", "file:/a/heddle.jar in app", "file:/war/heddle.jar in web");
  }

  @Test
  void otherAgentsAreTold() {
    flags =
        List.of(
            "-javaagent:/a/heddle-0.1.0.jar",
            "-javaagent:/x/opentelemetry-javaagent.jar=a=b",
            "-javaagent:/x/dd-java-agent.jar",
            "-agentpath:/x/libasyncProfiler.so=start",
            "-XX:-DoJVMTIVirtualThreadTransitions");
    assertThat(all())
        .contains(
            "opentelemetry-javaagent.jar. It carries",
            "heddle-opentelemetry",
            "dd-java-agent.jar.",
            "1.68.0")
        .contains("libasyncProfiler.so.", "DoJVMTIVirtualThreadTransitions is off")
        .doesNotContain("heddle-0.1.0.jar");
  }

  @Test
  void misspeltSettingsAreTold() {
    properties.setProperty("heddle.prosc", "4");
    environment.put("HEDDLE_OFF", "1");
    assertThat(problems())
        .containsExactly(
            "There is no setting HEDDLE_OFF; the closest is HEDDLE. -> Correct the name.",
            "There is no setting heddle.prosc; the closest is heddle.procs. -> Correct the name.");
  }

  @Test
  void limitsOfTheContainerAreTold() {
    limits =
        new SystemLimits(
            OptionalLong.of(900),
            OptionalLong.of(1_000),
            OptionalLong.empty(),
            OptionalLong.of(1_500),
            OptionalLong.of(7),
            OptionalLong.of(512L << 20),
            OptionalLong.of(8192L << 20));
    properties.setProperty("io.heddle.status", ON);
    assertThat(all()).as("the default follows").doesNotContain("MB of the container");
    properties.setProperty("heddle.container", "off");
    properties.setProperty("io.heddle.status", ON.replace("procs=2", "procs=8"));
    assertThat(all())
        .contains("procs is 8, and the container may use 1.5 CPUs", "heddle.procs=2")
        .contains("stopped 7 times", "900 threads of at most 1,000")
        .contains("the 512 MB of the container", "heddle.maxthreads=128");
    properties.setProperty("io.heddle.status", ON);
    properties.setProperty("heddle.maxthreads", "100");
    assertThat(all()).doesNotContain("procs is", "MB of the container");
  }

  @Test
  void commandLineKeepsItsFlagsAndRunsTheProbe() throws Exception {
    assertThat(
            ProbeCommand.parse(
                    List.of(
                        "/j/bin/java",
                        "-javaagent:h.jar=adopt",
                        "-agentlib:jdwp=suspend=y",
                        "--add-opens",
                        "java.base/java.lang=ALL-UNNAMED",
                        "-Dheddle.trace=t.bin",
                        "-Xmx1g",
                        "-cp",
                        "a:b",
                        "com.acme.Main",
                        "-x"))
                .command(Path.of("dir")))
        .containsExactly(
            "/j/bin/java",
            "-javaagent:h.jar=adopt",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-Xmx1g",
            "-cp",
            "a:b:dir",
            Probe.class.getName());
    assertThat(
            ProbeCommand.parse(List.of("java", "-p", "mods", "-m", "com.acme/com.acme.Main"))
                .command(Path.of("dir")))
        .startsWith("java", "-p", "mods", "--add-modules", "com.acme", "-cp");
  }

  /** The launcher starts the probe, as it would start the program. */
  @Test
  void commandLineOfTheLauncherKeepsItsOptions(@TempDir Path folder) throws Exception {
    String jar = HeddleJar.agentIn(folder).toString();
    assertThat(
            ProbeCommand.parse(
                    List.of("java", "-Xmx1g", "-jar", jar, "--options=watch", "app.jar", "-cp"))
                .command(Path.of("dir")))
        .startsWith("java", "-Xmx1g", "--add-opens")
        .endsWith(
            "-cp",
            jar,
            "io.heddle.Launch",
            "--options=watch",
            "-cp",
            "app.jar" + File.pathSeparator + "dir",
            Probe.class.getName());
    assertThat(
            ProbeCommand.parse(
                    List.of("java", "-cp", "h.jar", "io.heddle.Launch", "-cp", "a", "com.acme.X"))
                .command(Path.of("dir")))
        .containsExactly(
            "java",
            "-cp",
            "h.jar",
            "io.heddle.Launch",
            "-cp",
            "a" + File.pathSeparator + "dir",
            Probe.class.getName());
  }

  @Test
  void otherCommandLineIsRefused() {
    assertThatThrownBy(() -> ProbeCommand.parse(List.of("mvn", "verify")))
        .hasMessage("'mvn' is neither a process id nor java: give a number, or -- java ...");
    assertThatThrownBy(
            () -> ProbeCommand.parse(List.of("java", "-jar", "no.jar")).command(Path.of("dir")))
        .hasMessage("there is no file 'no.jar'");
  }

  private List<Finding> checkup() {
    return Checkup.of(new Vitals("Main", properties, flags, environment, limits));
  }

  private List<String> texts() {
    return checkup().stream().map(Finding::text).toList();
  }

  private List<String> problems() {
    return checkup().stream()
        .filter(finding -> finding.level() == Finding.Level.PROBLEM)
        .map(finding -> finding.text() + " -> " + finding.remedy())
        .toList();
  }

  private String all() {
    return String.join(
        "\n",
        checkup().stream()
            .flatMap(finding -> Stream.of(finding.text(), "" + finding.remedy()))
            .toList());
  }
}
