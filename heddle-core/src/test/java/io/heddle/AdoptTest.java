package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -javaagent:heddle.jar=adopt} with a program that does not use Heddle. */
@HangGuard
class AdoptTest {
  private static final List<String> START_METHODS =
      List.of("start", "builder", "factory", "executor", "child");
  private static final String SHARED_CARRIER = "heddle-shared";

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void adoptMakesEveryVirtualThreadAGoroutineWithTheSameBehaviour() throws Exception {
    ChildJvm.Result plain = run("");
    ChildJvm.Result adopted = run("=adopt");
    assertThat(plain.out()).doesNotContain(SHARED_CARRIER);
    assertThat(adopted.err()).isEmpty();
    assertThat(adopted.exitCode()).isZero();
    for (String method : START_METHODS) {
      assertThat(adopted.out()).contains(method + " " + SHARED_CARRIER + "\n");
    }
    assertThat(withoutStartMethods(adopted)).isEqualTo(withoutStartMethods(plain)).hasSize(6);
  }

  @Tag("jdks")
  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {"=adopt=acme-*", "=adopt=other,acme-1", "=adopt=acme-*,procs=1"})
  void threadNamePatternSelectsThreadsToAdopt(String options) throws Exception {
    ChildJvm.Result result = run(options);
    assertThat(result.out()).contains("builder " + SHARED_CARRIER + "\n");
    assertThat(count(result, SHARED_CARRIER)).isOne();
    assertThat(result.err()).isEmpty();
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {"=adopt=child.*", "=adopt=child.Adopted"})
  void creatingClassPatternSelectsThreadsToAdopt(String options) throws Exception {
    assertThat(count(run(options), SHARED_CARRIER)).isEqualTo(START_METHODS.size());
  }

  @SideBySide
  @Test
  void threadsThatMatchNoPatternAreNotAdopted() throws Exception {
    ChildJvm.Result result = run("=adopt=com.acme.*,tomcat-*");
    assertThat(count(result, SHARED_CARRIER)).isZero();
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("heddle: adopt=com.acme.*,tomcat-* matched no virtual thread, so none was")
        .contains("there were ", "\"acme-*\" of child.Adopted");
  }

  @SideBySide
  @Test
  void programWithoutVirtualThreadsHearsNothingOfTheFilter() throws Exception {
    assertThat(child("=adopt=com.acme.*").run("child.Hello", "twice").err()).isEmpty();
  }

  @SideBySide
  @Test
  void environmentVariablesAndPropertyEnableAdoption() throws Exception {
    ChildJvm.Result byJvms =
        ChildJvm.bare()
            .env("JAVA_TOOL_OPTIONS", "-javaagent:" + jar + "=adopt")
            .flags("-cp", ChildJvm.testClasses().toString())
            .run("child.Adopted");
    assertThat(count(byJvms, SHARED_CARRIER)).isEqualTo(START_METHODS.size());
    ChildJvm.Result byOurs = child("").env("HEDDLE_ADOPT", "true").run("child.Adopted");
    assertThat(count(byOurs, SHARED_CARRIER)).isEqualTo(START_METHODS.size());
    ChildJvm.Result byProperty = child("").flags("-Dheddle.adopt=acme-*").run("child.Adopted");
    assertThat(count(byProperty, SHARED_CARRIER)).isOne();
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void manifestOfExecutableJarEnablesAdoption() throws Exception {
    Path program =
        new HeddleJar()
            .attribute("Main-Class", "child.Adopted")
            .attribute("Launcher-Agent-Class", "io.heddle.agent.Agent")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("program.jar"), ChildJvm.classes(), ChildJvm.testClasses());
    ChildJvm.Result result =
        ChildJvm.bare().flags("-Dheddle.adopt=true").run("-jar", program.toString());
    assertThat(count(result, SHARED_CARRIER)).isEqualTo(START_METHODS.size());
    assertThat(result.err()).isEmpty();
  }

  /**
   * With this flag the JVM loads a class in the middle of the retransformation, and passes it to
   * the transformer as if it were the class that is retransformed.
   */
  @Tag("jdks")
  @SideBySide
  @Test
  void adoptWorksWhenJavaLangIsOpenAlready() throws Exception {
    ChildJvm.Result result =
        child("=adopt")
            .flags("--add-opens", "java.base/java.lang=ALL-UNNAMED")
            .run("child.Adopted");
    assertThat(result.err()).isEmpty();
    assertThat(count(result, SHARED_CARRIER)).isEqualTo(START_METHODS.size());
  }

  @SideBySide
  @Test
  void agentGivenTwiceAdoptsOnce() throws Exception {
    ChildJvm.Result result =
        child("=adopt").flags("-javaagent:" + jar + "=adopt").run("child.Adopted");
    assertThat(count(result, SHARED_CARRIER)).isEqualTo(START_METHODS.size());
    assertThat(result.err()).isEmpty();
  }

  @SideBySide
  @Test
  void agentOptionsAreSettings() throws Exception {
    ChildJvm.Result result = child("=procs=3").run("child.PrintProcs");
    assertThat(result.out().strip()).isEqualTo("procs 3");
  }

  @Tag("full")
  @SideBySide
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=bogus",
        "=adopt,bogus",
        "=adopt,procs=0",
        "=adopt=a*b",
        "=adopt=",
        "=procs",
        "=adopt=true",
        "=adopt=false",
        "=adopt=1",
        "=adopt=all"
      })
  void invalidOptionsAreReportedAndProgramRunsWithoutAdoption(String options) throws Exception {
    ChildJvm.Result result = run(options);
    assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    assertThat(result.err()).contains("allowed");
    assertThat(count(result, SHARED_CARRIER)).isZero();
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {"yes", "no", "1", "0"})
  void invalidVariableIsReported(String value) throws Exception {
    ChildJvm.Result result = child("").env("HEDDLE_ADOPT", value).run("child.Adopted");
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("heddle: adopt=" + value + ": " + value + " is no name; allowed is");
    assertThat(count(result, SHARED_CARRIER)).isZero();
    assertThat(result.exitCode()).isZero();
  }

  private static List<String> withoutStartMethods(ChildJvm.Result result) {
    return result
        .out()
        .lines()
        .filter(line -> START_METHODS.stream().noneMatch(method -> line.startsWith(method + " ")))
        .toList();
  }

  private static long count(ChildJvm.Result result, String what) {
    return Pattern.compile(Pattern.quote(what)).matcher(result.out()).results().count();
  }

  private static ChildJvm.Result run(String options) throws Exception {
    return child(options).run("child.Adopted");
  }

  /** Only the agent's jar puts the library on the class path. */
  private static ChildJvm child(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
