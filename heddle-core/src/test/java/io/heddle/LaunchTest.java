package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code java -jar heddle.jar} with a program that does not use Heddle. */
@HangGuard
class LaunchTest {
  private static final String POLLERS = "JDK pollers ";

  @TempDir private static Path dir;
  private static Path heddle;
  private static Path program;

  @BeforeAll
  static void pack() throws Exception {
    heddle = HeddleJar.agentIn(dir);
    program =
        new HeddleJar()
            .attribute("Main-Class", "child.Launched")
            .attribute("Add-Opens", "java.base/java.util no.such.module/p java.base/no.such")
            .attribute("Enable-Native-Access", "ALL-UNNAMED")
            .pack(dir.resolve("program.jar"), ChildJvm.testClasses());
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void programRunsAsIfJavaHadStartedIt() throws Exception {
    ChildJvm.Result plain = ChildJvm.bare().run("-jar", program.toString(), "a b", "");
    ChildJvm.Result launched = launch(program.toString(), "a b", "");
    assertThat(launched.err()).isEmpty();
    assertThat(launched.out().lines().toList())
        .containsExactly(
            "arguments [a b, ]",
            "main thread main",
            "class path " + program,
            "command " + program + " a b ",
            "java.util is open true",
            "timer threads 0");
    assertThat(launched.out())
        .isEqualTo(plain.out().replaceAll("threads [1-9][0-9]*", "threads 0"));
    assertThat(plain.out()).contains("java.util is open true");
  }

  @Tag("jdks")
  @SideBySide
  @Test
  void virtualThreadsAreGoroutinesWithTheSameBehaviour() throws Exception {
    ChildJvm.Result plain = ChildJvm.bare().flags(classPath()).run("child.Adopted");
    ChildJvm.Result launched = launch("-cp", tests(), "child.Adopted");
    assertThat(launched.err()).isEmpty();
    for (String method : List.of("start", "builder", "factory", "executor", "child")) {
      assertThat(launched.out()).contains(method + " heddle-shared\n");
    }
    assertThat(launched.out().lines().skip(5)).hasSize(6);
    assertThat(launched.out().lines().skip(5).toList())
        .isEqualTo(plain.out().lines().skip(5).toList());
  }

  @Tag("jdks")
  @SideBySide
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
  void t2_everySocketWaitBehavesAsInTheJdkWithoutJdkPollers() throws Exception {
    ChildJvm.Result plain = ChildJvm.bare().flags(classPath()).run("child.SocketUser", "2000");
    ChildJvm.Result launched = launch("-cp", tests(), "child.SocketUser", "2000");
    assertThat(launched.err()).isEmpty();
    assertThat(withoutPollers(launched)).isEqualTo(withoutPollers(plain)).hasSize(25);
    assertThat(launched.out()).endsWith(POLLERS + "0\n");
  }

  /** {@code SocketPollPatchTest} runs it with the agent in every build. */
  @Tag("full")
  @SideBySide
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
  void t2_schedulersShareSocketsAndReleaseTheirPollers() throws Exception {
    ChildJvm.Result result = launch("-cp", tests(), "child.SocketSchedulers");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo("our poller true\npollers left 0\nearly and late 800\nplain 400\n");
  }

  @SideBySide
  @Test
  void optionsAreThoseOfTheAgent() throws Exception {
    ChildJvm.Result result =
        launch("--options=adopt=job-*:jobs(procs=1),child.*:rest", "-cp", tests(), "child.Jobs");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("job heddle-jobs\n", "other heddle-rest\n")
        .doesNotContain("shared");
  }

  @SideBySide
  @Test
  void settingSelectsThreads() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .env("HEDDLE_ADOPT", "acme-*")
            .run("-jar", heddle.toString(), "-cp", tests(), "child.Adopted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines().filter(line -> line.endsWith(" heddle-shared")))
        .containsExactly("builder heddle-shared");
  }

  @SideBySide
  @Test
  void programOnTheClassPathOfTheJvm() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags(ChildJvm.OPENS)
            .flags(classPath())
            .run("io.heddle.Launch", "child.Adopted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("start heddle-shared");
  }

  @SideBySide
  @Test
  void withoutTheFlagTheProgramRunsWithoutHeddle() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare().flags(classPath()).run("io.heddle.Launch", "child.Adopted");
    assertThat(result.err()).contains("--add-opens java.base/java.lang=ALL-UNNAMED");
    assertThat(result.out()).contains("locks true").doesNotContain("heddle-shared");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void switchedOffItOnlyStartsTheProgram() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .env("HEDDLE", "off")
            .run("-jar", heddle.toString(), "-cp", tests(), "child.Adopted");
    assertThat(result.out()).contains("locks true").doesNotContain("heddle-shared");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void exceptionAndExitCodeAreThoseOfTheProgram() throws Exception {
    ChildJvm.Result failed = launch(program.toString(), "fail");
    assertThat(failed.err())
        .startsWith(
            "Exception in thread \"main\" java.lang.IllegalStateException: as asked\n"
                + "\tat child.Launched.main(");
    assertThat(failed.exitCode()).isOne();
    assertThat(launch(program.toString(), "exit").exitCode()).isEqualTo(7);
  }

  @SideBySide
  @Test
  void sourceFileRuns() throws Exception {
    Path source = dir.resolve("Hello.java");
    Files.writeString(
        source,
        """
        void main(String[] args) throws Exception {
          Thread.ofVirtual().start(() -> IO.println(Thread.currentThread() + args[0])).join();
        }
        """);
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-Dheddle.procs=1")
            .run("-jar", heddle.toString(), source.toString(), "!");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("heddle-shared").endsWith("!\n");
  }

  /** An agent that starts before the launcher may have loaded a class that the launcher changes. */
  @SideBySide
  @Test
  void classThatIsLoadedAlreadyTurnsOneFeatureOff() throws Exception {
    Path early =
        HeddleJar.agent("child.LoadsSockets")
            .pack(dir.resolve("early.jar"), ChildJvm.testClasses());
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-javaagent:" + early)
            .run("-jar", heddle.toString(), "-cp", tests(), "child.Adopted");
    assertThat(result.err())
        .isEqualTo(
            "heddle: the socket poller is off: sun.nio.ch.NioSocketImpl was loaded before Heddle"
                + " could change it; goroutines wait for sockets in the JDK's pollers\n");
    assertThat(result.out()).contains("start heddle-shared", "socket 42");
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-Xmx1g child.Adopted",
        "-cp",
        "missing.jar",
        "missing.java",
        "no.such.Main",
        "child.Jobs$1",
        "--options",
      })
  void wrongCommandLineIsReported(String words) throws Exception {
    ChildJvm.Result result = launch(words.isEmpty() ? new String[0] : words.split(" "));
    assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    assertThat(result.out()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @SideBySide
  @Test
  void weavingNeedsTheAgent() throws Exception {
    ChildJvm.Result result = launch("--options=adopt,preempt", "-cp", tests(), "child.Adopted");
    assertThat(result.err())
        .isEqualTo(
            "heddle: preempt needs the agent: allowed is -javaagent:heddle.jar=preempt; the program"
                + " runs without it\n");
    assertThat(result.out()).contains("locks true").doesNotContain("heddle-shared");
  }

  @SideBySide
  @Test
  void helpIsPrinted() throws Exception {
    ChildJvm.Result result = launch("--help");
    assertThat(result.out()).startsWith("Usage: java -jar heddle.jar");
    assertThat(result.exitCode()).isZero();
  }

  private static List<String> withoutPollers(ChildJvm.Result result) {
    return result.out().lines().filter(line -> !line.startsWith(POLLERS)).toList();
  }

  private static String tests() {
    return ChildJvm.testClasses().toString();
  }

  private static String[] classPath() {
    return new String[] {"-cp", tests() + File.pathSeparator + heddle};
  }

  private static ChildJvm.Result launch(String... words) throws Exception {
    String[] command = new String[words.length + 2];
    command[0] = "-jar";
    command[1] = heddle.toString();
    System.arraycopy(words, 0, command, 2, words.length);
    return ChildJvm.bare().run(command);
  }
}
