package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to start a program that uses Heddle, each in its own JVM. */
@HangGuard
class StartUpTest {
  private static final String CLASS_PATH =
      ChildJvm.classes() + File.pathSeparator + ChildJvm.testClasses();

  @TempDir private Path dir;

  @Tag("jdks")
  @SideBySide
  @Test
  void classPathWithFlagStarts() throws Exception {
    assertSaysHello(ChildJvm.onClassPath().run("child.Hello"));
  }

  @SideBySide
  @Test
  void missingFlagIsNamedInOneSentence() throws Exception {
    ChildJvm.Result result = ChildJvm.bare().flags("-cp", CLASS_PATH).run("child.Hello");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err().lines().findFirst().orElse(""))
        .contains("start Java with --add-opens java.base/java.lang=ALL-UNNAMED")
        .contains("-javaagent:heddle.jar");
    assertThat(result.out()).isEmpty();
  }

  @SideBySide
  @Test
  void flagNamedInTheSentenceWorks() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp", CLASS_PATH)
            .run("child.Hello");
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void missingFlagOnModulePathNamesTheModule() throws Exception {
    ChildJvm.Result result = onModulePath().run("child.Hello");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err()).contains("--add-opens java.base/java.lang=io.heddle");
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void modulePathWithFlagStarts() throws Exception {
    assertSaysHello(
        onModulePath().flags("--add-opens", "java.base/java.lang=io.heddle").run("child.Hello"));
  }

  @Tag("jdks")
  @Test
  void jvmWithOnlyJavaBaseStarts() throws Exception {
    assertSaysHello(
        ChildJvm.onClassPath().flags("--limit-modules", "java.base").run("child.Hello"));
    ChildJvm.Result hogs =
        ChildJvm.onClassPath()
            .flags("--limit-modules", "java.base")
            .run("child.Hogs", "heddle", "20", "0");
    assertThat(hogs.exitCode()).as(hogs.toString()).isZero();
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void agentReplacesTheFlag() throws Exception {
    assertSaysHello(withAgent("").run("child.Hello"));
  }

  @SideBySide
  @Test
  void unknownAgentOptionIsReportedAndProgramRuns() throws Exception {
    ChildJvm.Result result = withAgent("=bogus").run("child.Hello");
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("heddle: ")
        .contains("\"bogus\"");
    assertThat(result.out()).isEqualToIgnoringNewLines("hello from goroutine 1");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void settingRefusedByTheAgentDoesNotStopTheProgram() throws Exception {
    ChildJvm.Result result = withAgent("=adopt,procs=abc").run("child.Hello");
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("heddle: heddle.procs is \"abc\": allowed is");
    assertThat(result.out()).isEqualToIgnoringNewLines("hello from goroutine 1");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void settingRefusedByTheAgentGivesWayToTheProperty() throws Exception {
    ChildJvm.Result result =
        withAgent("=adopt,procs=0").flags("-Dheddle.procs=3").run("child.PrintProcs");
    assertThat(result.err().lines()).singleElement().asString().contains("procs is 0: allowed is");
    assertThat(result.out().strip()).isEqualTo("procs 3");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void executableJarWithAgentNeedsNoFlag() throws Exception {
    Path jar =
        new HeddleJar()
            .attribute("Main-Class", "child.Hello")
            .attribute("Launcher-Agent-Class", "io.heddle.agent.Agent")
            .pack(dir.resolve("program.jar"), ChildJvm.classes(), ChildJvm.testClasses());
    assertSaysHello(ChildJvm.bare().run("-jar", jar.toString()));
  }

  @SideBySide
  @Test
  void missingFlagFailsEachUse() throws Exception {
    ChildJvm.Result result = ChildJvm.bare().flags("-cp", CLASS_PATH).run("child.Hello", "twice");
    assertThat(result.err().lines().filter(line -> line.contains("--add-opens"))).hasSize(2);
  }

  private ChildJvm withAgent(String options) throws Exception {
    Path jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Can-Redefine-Classes", "true")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", jar + File.pathSeparator + ChildJvm.testClasses());
  }

  /** The library is a module, the program is on the class path. */
  private static ChildJvm onModulePath() {
    return ChildJvm.bare()
        .flags("--module-path", ChildJvm.classes().toString(), "--add-modules", "io.heddle")
        .flags("-cp", ChildJvm.testClasses().toString());
  }

  private static void assertSaysHello(ChildJvm.Result result) {
    assertThat(result)
        .isEqualTo(new ChildJvm.Result(0, "hello from goroutine 1" + System.lineSeparator(), ""));
  }
}
