package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code heddle dump} and {@code heddle top} of a program that was started without the agent. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LookingOnTest {
  @TempDir private static Path temporary;
  private static Fixture fixture;
  private static Process program;

  @BeforeAll
  static void start() throws Exception {
    fixture = new Fixture(temporary);
    fixture.file(
        "Looked.java",
        """
        import io.heddle.*;
        Chan<String> never = Chan.make();
        void main() throws Exception {
          Go.main(() -> {
            for (int i = 0; i < 1000; i++) Go.go("worker", () -> never.receive());
            Go.go(() -> { for (;;) Go.gosched(); });
            while (Go.goroutines() < 1002) Go.gosched();
            IO.println("ready");
            System.in.read();
          });
          System.exit(0);
        }
        """);
    program = startAndAwait("Looked.java");
  }

  private static Process startAndAwait(String file) throws Exception {
    Process process = fixture.startProgram(file);
    BufferedReader out = process.inputReader();
    assertThat(out.readLine()).isEqualTo("ready");
    return process;
  }

  @AfterAll
  static void end() {
    program.destroyForcibly();
  }

  @Test
  void dumpGroupsGoroutinesWithTheSameStack() {
    Run run = Run.of("dump", pid());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("scheduler shared: 1002 goroutines, procs=")
        .containsPattern("1000 goroutines .chan receive.:( [0-9]+){8} [.]{3}\n\tat ")
        .contains("created by Looked");
    assertThat(run.out().lines().count()).isLessThan(80);
  }

  @Test
  void dumpOfAllShowsEachGoroutine() {
    assertThat(Run.of("dump", "--all", pid()).out().lines())
        .filteredOn(line -> line.matches("goroutine [0-9]+ \"worker\" .chan receive.:"))
        .hasSize(1000);
  }

  @Test
  void leaksListsWhatHasWaitedLongByCreationSite() {
    Run run;
    do {
      run = Run.of("leaks", "--stuck", "1", pid());
      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).startsWith("scheduler shared: 0 deadlocked, 0 leaked\n");
    } while (!run.out().contains("\nwaiting for 1 s or longer:\n"));
    assertThat(run.out())
        .containsPattern(
            "1000 goroutines .chan receive, \\d+ s. created by Looked.*:( [0-9]+){8} [.]{3}");
    assertThat(Run.of("leaks", "--no-gc", pid()).out())
        .startsWith("scheduler shared: 0 deadlocked\n");
  }

  @Test
  void topShowsPsRatesAndWaitReasons() {
    Run run = Run.of("top", "--once", "--interval", "300", pid());

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("process " + pid(), "scheduler shared", "1,002 goroutines", "P0 ")
        .containsPattern("switches [0-9,]{4,} ")
        .containsPattern("chan receive +█+ +1,000");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }

  /** The limit is full for ever, so that every submission is refused. */
  @Test
  void topShowsLimitsAndOverloadControl() throws Exception {
    fixture.file(
        "Limited.java",
        """
        import io.heddle.*;
        void main() throws Exception {
          Scheduler web = Scheduler.builder().name("web").overload(java.time.Duration.ofMillis(20)).build();
          var executor = web.executor(Limit.rejecting(1).named("reports"));
          executor.submit(() -> Chan.make().receive());
          try {
            executor.submit(() -> {});
          } catch (java.util.concurrent.RejectedExecutionException e) {
            web.admit();
            IO.println("ready");
          }
          System.in.read();
        }
        """);
    Process other = startAndAwait("Limited.java");
    try {
      String top = Run.of("top", "--once", "--interval", "300", Long.toString(other.pid())).out();
      assertThat(top)
          .containsPattern("  overload: wait [0-9.]+ ms, allowed 20.0; per second admitted 0 ")
          .contains(
              "  limits: running, of at most, waiting; in all: started, refused, by the caller\n"
                  + "        1       1       0            1         1         0  reports\n");
      assertThat(top.lines()).allMatch(line -> line.length() <= 80);
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void topWritesLinesWithoutATerminalUntilTheProgramEnds() throws Exception {
    fixture.file(
        "Short.java",
        """
        void main() throws Exception {
          io.heddle.Go.go(() -> Thread.sleep(100_000));
          IO.println("ready");
          System.in.read();
        }
        """);
    Process other = startAndAwait("Short.java");
    Process top = fixture.startHeddle("top", "--interval", "100", Long.toString(other.pid()));
    BufferedReader out = top.inputReader();
    assertThat(out.readLine())
        .startsWith("shared goroutines=1 procs=")
        .containsPattern("switches/s=[0-9]+ .* sleep=1$");
    other.destroyForcibly();
    assertThat(out.lines().toList().getLast()).isEqualTo("process " + other.pid() + " has ended");
    assertThat(top.waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "top"})
  void missingProcessIsAnError(String command) {
    Run run = Run.of(command, Integer.toString(Integer.MAX_VALUE));

    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("heddle: there is no process " + Integer.MAX_VALUE)
        .contains("JVMs of this user", "Looked");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere no JVM is marked")
  void jvmsWithHeddleAreMarked() throws Exception {
    fixture.file(
        "Marked.java",
        """
        void main() throws Exception {
          io.heddle.Go.go(() -> {}).join();
          IO.println("ready");
          System.in.read();
        }
        """);
    Process marked = startAndAwait("Marked.java");
    try {
      assertThat(Run.of("top").err())
          .contains("The JVMs of this user (* runs Heddle):")
          .containsPattern("(?m)^ +" + marked.pid() + " \\* ");
    } finally {
      marked.destroyForcibly();
    }
  }

  @Test
  void withoutAPidTheJvmsAreListed() {
    for (String command : List.of("dump", "top")) {
      Run run = Run.of(command);
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).startsWith("heddle: the process id is missing. ");
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS) // there is no sleep command
  void otherProcessIsAnErrorAndSurvives() throws Exception {
    Process sleep = fixture.start(List.of("sleep", "100"));
    try {
      Run run = Run.of("dump", Long.toString(sleep.pid()));
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).contains("process " + sleep.pid() + " is not a JVM");
      assertThat(sleep.isAlive()).isTrue();
    } finally {
      sleep.destroyForcibly();
    }
  }

  @Tag("full")
  @Test
  void jvmWithoutHeddleIsAnError() throws Exception {
    fixture.file(
        "None.java", "void main() throws Exception { IO.println(\"ready\"); System.in.read(); }");
    Process none = startAndAwait("None.java");
    try {
      Run run = Run.of("dump", Long.toString(none.pid()));
      assertThat(run.exitCode()).isOne();
      assertThat(run.err()).contains("is a JVM without a Heddle scheduler", "heddle run");
    } finally {
      none.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-5", "java", ""})
  void invalidPidIsWrongUse(String pid) {
    Run run = Run.of("dump", pid);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("heddle dump --help");
  }

  private static String pid() {
    return Long.toString(program.pid());
  }
}
