package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code heddle run}, in separate processes, as a user runs it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunCommandTest {
  @TempDir Path temporary;
  private Fixture fixture;

  @BeforeEach
  void makeFixture() throws Exception {
    fixture = new Fixture(temporary);
  }

  @Test
  void inputOutputArgumentsAndExitCodePassThrough() throws Exception {
    Path program =
        fixture.file(
            "Echo.java",
            """
            void main(String[] args) throws Exception {
              IO.println(String.join("|", args));
              System.err.println("to err");
              System.exit(System.in.read());
            }
            """);
    Process process =
        fixture.startHeddle(
            "run", program.toString(), "two words", "--it's", "@" + program, "--", "--procs", "");
    process.getOutputStream().write(42);
    Fixture.Result result = fixture.end(process);

    assertThat(result.out()).isEqualTo("two words|--it's|@" + program + "|--procs|\n");
    assertThat(result.err()).isEqualTo("to err\n");
    assertThat(result.exitCode()).isEqualTo(42);
  }

  @ParameterizedTest
  @CsvSource({"--adopt, heddle-shared-M, 3", "--no-adopt, ForkJoinPool, 3"})
  void virtualThreadsAreGoroutinesUnlessToldOtherwise(String flag, String carrier, String procs)
      throws Exception {
    Path program =
        fixture.file(
            "Plain.java",
            """
            void main() throws Exception {
              Thread.startVirtualThread(() -> IO.println(Thread.currentThread())).join();
              IO.println(io.heddle.Go.procs());
            }
            """);
    Fixture.Result result = fixture.heddle("run", "--procs", "3", program.toString(), flag);

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains(carrier).endsWith("\n" + procs + "\n");
  }

  /** The poller of an adopted program: the trace has its polls, and all events are legal. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
  void traceOfSocketsHasPolls() throws Exception {
    Path program =
        fixture.file(
            "Sockets.java",
            """
            import java.net.*;
            void main() throws Exception {
              try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                var echo = Thread.startVirtualThread(() -> {
                  try (var peer = server.accept()) {
                    peer.getInputStream().transferTo(peer.getOutputStream());
                  } catch (Exception e) {
                    e.printStackTrace();
                  }
                });
                var client = Thread.startVirtualThread(() -> {
                  try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    for (int i = 0; i < 100; i++) {
                      socket.getOutputStream().write(i);
                      socket.getInputStream().read();
                    }
                  } catch (Exception e) {
                    e.printStackTrace();
                  }
                });
                client.join();
                echo.join();
              }
            }
            """);
    Path trace = temporary.resolve("t.bin");
    Fixture.Result run = fixture.heddle("run", program.toString(), "--trace", trace.toString());
    assertThat(run.err()).isEmpty();
    Fixture.Result check = fixture.heddle("trace", trace.toString(), "--check", "--summary");
    assertThat(check.out()).contains("all legal").containsPattern("poll +[1-9]");
    assertThat(check.exitCode()).isZero();
  }

  /**
   * The dashboard stays after a short program has ended; a signal ends it as it would have ended
   * the program.
   */
  @Test
  void lingerKeepsTheDashboardAfterTheEnd() throws Exception {
    Path program =
        fixture.file(
            "Quick.java",
            """
            import io.heddle.*;
            void main() throws Exception {
              Go.main(() -> Go.go(() -> Chan.make().receive()));
            }
            """);
    Process process = fixture.startHeddle("run", program.toString(), "--dashboard", "--linger");
    try {
      while (!fixture.said().contains("the program has ended; http://127.0.0.1:")) {
        assertThat(process.waitFor(20, TimeUnit.MILLISECONDS)).as(fixture.said()).isFalse();
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void unwritableTraceIsReportedBeforeTheProgramStarts() throws Exception {
    Path program = fixture.file("Main.java", "void main() { IO.println(1); }");
    Fixture.Result result =
        fixture.heddle("run", program.toString(), "--trace", "no/such/folder/t.bin");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .containsPattern("--trace: the folder '.*no.such.folder' does not exist");
  }

  @Test
  void lingerNeedsADashboard() throws Exception {
    Fixture.Result result = fixture.heddle("run", "Any.java", "--linger");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("--linger", "--dashboard");
  }

  @ParameterizedTest
  @CsvSource({"--adopt", "--no-adopt"})
  void aDeadlockExitsWithTwoAndTheDump(String flag) throws Exception {
    Path program =
        fixture.file(
            "Dead.java",
            """
            import io.heddle.*;
            void main() throws Exception {
              Go.main(() -> Chan.make().receive());
            }
            """);
    Fixture.Result result = fixture.heddle("run", flag, program.toString());

    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("fatal error: deadlock!")
        .contains("goroutine 1 \"main\" [chan receive]:", "Dead.java:3");
  }

  @Test
  void classAndJarRun() throws Exception {
    Path source =
        fixture.file(
            "Named.java",
            """
            public class Named {
              public static void main(String[] args) {
                IO.println(io.heddle.Go.procs() + " " + args[0]);
              }
            }
            """);
    tool(
        "javac",
        "-cp",
        System.getProperty("java.class.path"),
        "-d",
        at("classes"),
        source.toString());
    tool(
        "jar",
        "--create",
        "--file",
        at("app.jar"),
        "--main-class",
        "Named",
        "-C",
        at("classes"),
        ".");
    String otherPath = at("classes") + File.pathSeparator + at("none");

    assertThat(fixture.heddle("run", "--procs=4", "-cp", otherPath, "Named", "x").out())
        .isEqualTo("4 x\n");
    assertThat(fixture.heddle("run", "--procs=4", at("app.jar"), "x").out()).isEqualTo("4 x\n");
    // the jar contains no library
    assertThat(fixture.heddle("run", "--no-adopt", "--procs=4", at("app.jar"), "x").out())
        .isEqualTo("4 x\n");
  }

  @Test
  void endingTheCommandEndsTheProgram() throws Exception {
    Path program =
        fixture.file(
            "Endless.java",
            """
            void main() throws Exception {
              Runtime.getRuntime().addShutdownHook(new Thread(() -> IO.println("ended")));
              IO.println("ready");
              Thread.sleep(1_000_000);
            }
            """);
    Process process = fixture.startHeddle("run", program.toString());
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      process.toHandle().destroy(); // SIGTERM, which, unlike Ctrl-C, reaches only this process
      assertThat(out.readLine()).isEqualTo("ended");
    }
    assertThat(process.waitFor()).isEqualTo(143);
  }

  @Test
  void schedTraceIsWrittenToStandardError() throws Exception {
    Path program = fixture.file("Traced.java", "void main() { IO.println(io.heddle.Go.procs()); }");
    Fixture.Result result =
        fixture.heddle("run", "--schedtrace", "10", "--procs=2", program.toString());

    assertThat(result.out()).isEqualTo("2\n");
    assertThat(result.err()).startsWith("SCHED 0ms: gomaxprocs=2 idleprocs=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "; the program is missing",
        "Nowhere.java; there is no file 'Nowhere.java'",
        "nowhere.jar; there is no file 'nowhere.jar'",
        "com.acme.Main; heddle run -cp PATH com.acme.Main",
        "--trase; there is no option '--trase'. Did you mean '--trace'?",
        "--procs=0; '0' is not a whole number from 1 to 1024",
        "--schedtrace=often; 'often' is not a whole number from 1 to 86400000",
        "--trace; Missing required parameter for option '--trace'",
      })
  void wrongUseIsAnErrorWithAnAdvice(String arg, String message) {
    Run run = arg == null ? Run.of("run") : Run.of("run", arg);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message, "heddle run --help");
  }

  @Test
  void fileThatIsNoJarIsRefused() throws Exception {
    String noJar = fixture.file("no.jar", "no jar").toString();

    Run run = Run.of("run", "--print-command", "--no-adopt", noJar);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("'" + noJar + "' cannot be read as a jar: ", "heddle run --help");
  }

  @Test
  void optionsMayFollowTheProgramAndAPortIsANumber() throws Exception {
    String program = fixture.file("P.java", "void main() {}").toString();
    Run before = Run.of("run", "--print-command", "--dashboard", program, "--trace", "t.bin", "7");
    Run after = Run.of("run", "--print-command", program, "--dashboard", "8080", "--preempt=a.,b.");

    assertThat(before.out())
        .contains("-Dheddle.dashboard=0 ", "-Dheddle.trace=t.bin ")
        .endsWith("'" + program + "' 7\n");
    assertThat(after.out()).contains("-Dheddle.dashboard=8080 ", "=adopt,preempt=a.*,b.*' ");
  }

  @Test
  void argumentOneLetterOffAnOptionIsPassedOnWithAWarning() throws Exception {
    String program = fixture.file("P.java", "void main() {}").toString();
    Run run = Run.of("run", "--print-command", program, "--trase=t.bin", "--prosc", "2", "--size");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).endsWith("'" + program + "' --trase=t.bin --prosc 2 --size\n");
    assertThat(run.err().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("heddle: warning: "))
        .anyMatch(
            line -> line.contains("'--trase' is passed to the program. Did you mean '--trace'"))
        .anyMatch(
            line -> line.contains("'--prosc' is passed to the program. Did you mean '--procs'"));
  }

  @Test
  void argumentsAfterTheSeparatorGiveNoWarning() throws Exception {
    String program = fixture.file("P.java", "void main() {}").toString();
    Run run = Run.of("run", "--print-command", program, "--", "--trase", "t.bin");
    assertThat(run.out()).endsWith("'" + program + "' --trase t.bin\n");
    assertThat(run.err()).isEmpty();
    assertThat(Run.of("run", "--print-command", "--", program, "--trase").err()).isEmpty();
  }

  private String at(String name) {
    return fixture.folder.resolve(name).toString();
  }

  private static void tool(String name, String... args) {
    int code = ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, args);
    assertThat(code).isZero();
  }
}
