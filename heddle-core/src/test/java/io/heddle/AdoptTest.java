package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -javaagent:heddle.jar=adopt}: a program that knows nothing of Heddle, with and without. */
@HangGuard
class AdoptTest {
  private static final List<String> DOORS =
      List.of("start", "builder", "factory", "executor", "child");
  private static final String OURS = "heddle-shared";

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  @Test
  void everyVirtualThreadIsAGoroutineAndBehavesAsBefore() throws Exception {
    ChildJvm.Result plain = run("");
    ChildJvm.Result adopted = run("=adopt");
    assertThat(plain.out()).doesNotContain(OURS);
    assertThat(adopted.err()).isEmpty();
    assertThat(adopted.exitCode()).isZero();
    for (String door : DOORS) {
      assertThat(adopted.out()).contains(door + " " + OURS + "\n");
    }
    assertThat(withoutDoors(adopted)).isEqualTo(withoutDoors(plain)).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=adopt=acme-*", "=adopt=nobody,acme-1", "=adopt=acme-*,procs=1"})
  void someByTheNameOfTheThread(String options) throws Exception {
    ChildJvm.Result result = run(options);
    assertThat(result.out()).contains("builder " + OURS + "\n");
    assertThat(count(result, OURS)).isOne();
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"=adopt=child.*", "=adopt=child.Adopted"})
  void someByTheClassThatMakesThem(String options) throws Exception {
    assertThat(count(run(options), OURS)).isEqualTo(DOORS.size());
  }

  @Test
  void othersAreLeftAlone() throws Exception {
    assertThat(count(run("=adopt=com.acme.*"), OURS)).isZero();
  }

  @Test
  void byAnEnvironmentVariableOfTheJvmOrByOneOfOurs() throws Exception {
    ChildJvm.Result byJvms =
        ChildJvm.bare()
            .env("JAVA_TOOL_OPTIONS", "-javaagent:" + jar + "=adopt")
            .flags("-cp", ChildJvm.testClasses().toString())
            .run("child.Adopted");
    assertThat(count(byJvms, OURS)).isEqualTo(DOORS.size());
    ChildJvm.Result byOurs = child("").env("HEDDLE_ADOPT", "true").run("child.Adopted");
    assertThat(count(byOurs, OURS)).isEqualTo(DOORS.size());
    ChildJvm.Result byProperty = child("").flags("-Dheddle.adopt=acme-*").run("child.Adopted");
    assertThat(count(byProperty, OURS)).isOne();
  }

  @Test
  void byTheManifestOfAnExecutableJar() throws Exception {
    Path program =
        new HeddleJar()
            .attribute("Main-Class", "child.Adopted")
            .attribute("Launcher-Agent-Class", "io.heddle.agent.Agent")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("program.jar"), ChildJvm.classes(), ChildJvm.testClasses());
    ChildJvm.Result result =
        ChildJvm.bare().flags("-Dheddle.adopt=true").run("-jar", program.toString());
    assertThat(count(result, OURS)).isEqualTo(DOORS.size());
    assertThat(result.err()).isEmpty();
  }

  @Test
  void askedForTwiceIsAskedForOnce() throws Exception {
    ChildJvm.Result result =
        child("=adopt").flags("-javaagent:" + jar + "=adopt").run("child.Adopted");
    assertThat(count(result, OURS)).isEqualTo(DOORS.size());
    assertThat(result.err()).isEmpty();
  }

  @Test
  void optionsAreSettings() throws Exception {
    ChildJvm.Result result = child("=procs=3").run("child.PrintProcs");
    assertThat(result.out().strip()).isEqualTo("procs 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"=bogus", "=adopt,bogus", "=adopt,procs=0", "=adopt=a*b", "=adopt=", "=procs"})
  void whatMakesNoSenseIsSaidAndTheProgramRunsAsIfNobodyHadAsked(String options) throws Exception {
    ChildJvm.Result result = run(options);
    assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    assertThat(result.err()).contains("allowed");
    assertThat(count(result, OURS)).isZero();
    assertThat(result.exitCode()).isZero();
  }

  private static List<String> withoutDoors(ChildJvm.Result result) {
    return result
        .out()
        .lines()
        .filter(line -> DOORS.stream().noneMatch(door -> line.startsWith(door + " ")))
        .toList();
  }

  private static long count(ChildJvm.Result result, String what) {
    return Pattern.compile(Pattern.quote(what)).matcher(result.out()).results().count();
  }

  private static ChildJvm.Result run(String options) throws Exception {
    return child(options).run("child.Adopted");
  }

  /** The library is on nobody's class path but the agent's. */
  private static ChildJvm child(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
