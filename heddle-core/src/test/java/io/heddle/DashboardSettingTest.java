package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings that open the dashboard. The program runs whether or not the dashboard opens. */
@HangGuard
class DashboardSettingTest {
  /** The dashboard's address and, because the program ends at once, a hint how to keep it open. */
  private static final String ADDRESS =
      "heddle: dashboard at http://127\\.0\\.0\\.1:\\d+/\\Rheddle: the program has ended before"
          + " the page was opened: .*linger.*";

  @TempDir Path dir;

  @SideBySide
  @Test
  void dashboardIsOffByDefault() throws Exception {
    assertThat(ChildJvm.onClassPath().run("child.Hello").err()).isEmpty();
  }

  @SideBySide
  @Test
  void propertyOpensDashboardAndProgramEndsAsUsual() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.dashboard=0").run("child.Hello");
    assertThat(result.err().strip()).matches(ADDRESS);
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void environmentVariableOpensDashboard() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().env("HEDDLE_DASHBOARD", "0").run("child.Hello");
    assertThat(result.err().strip()).matches(ADDRESS);
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void agentOptionOpensDashboard() throws Exception {
    Path jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Can-Redefine-Classes", "true")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-javaagent:" + jar + "=dashboard=0")
            .flags("-cp", jar + File.pathSeparator + ChildJvm.testClasses())
            .run("child.Hello");
    assertThat(result.err().strip()).matches(ADDRESS);
    assertSaysHello(result);
  }

  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {"many", "-1", "65536", "localhost", ":80", "localhost:x"})
  void invalidPortIsReported(String value) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.dashboard=" + value).run("child.Hello");
    assertThat(result.err())
        .isEqualToIgnoringNewLines(
            "heddle: heddle.dashboard is \""
                + value
                + "\": allowed is a port from 0 (any that is free) to 65535, or HOST:PORT;"
                + " the program runs without the dashboard");
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void portInUseIsReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      ChildJvm.Result result =
          ChildJvm.onClassPath().env("HEDDLE_DASHBOARD", "" + port).run("child.Hello");
      assertThat(result.err())
          .startsWith("heddle: the dashboard cannot listen at port " + port + ": ")
          .endsWith("; the program runs without the dashboard" + System.lineSeparator());
      assertSaysHello(result);
    }
  }

  @SideBySide
  @Test
  void missingWebServerModuleIsReported() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("--limit-modules", "java.base,java.management,java.instrument,java.logging")
            .flags("-Dheddle.dashboard=0")
            .run("child.Hello");
    assertThat(result.err())
        .startsWith("heddle: the dashboard needs the module jdk.httpserver: --add-modules");
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void flagAddsWebServerOnModulePath() throws Exception {
    ChildJvm modular =
        ChildJvm.bare()
            .flags("--module-path", ChildJvm.classes().toString(), "--add-modules", "io.heddle")
            .flags("--add-opens", "java.base/java.lang=io.heddle", "-Dheddle.dashboard=0")
            .flags("-cp", ChildJvm.testClasses().toString(), "--add-modules", "jdk.httpserver");
    ChildJvm.Result result = modular.run("child.Hello");
    assertThat(result.err().strip()).matches(ADDRESS);
    assertSaysHello(result);
  }

  @SideBySide
  @Test
  void dashboardDoesNotHideDeadlock() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.dashboard=0").run("child.AllAsleep", "receive");
    assertThat(result.out()).startsWith("deadlock!\nall goroutines are asleep\n");
  }

  private static void assertSaysHello(ChildJvm.Result result) {
    assertThat(result.out()).isEqualToIgnoringNewLines("hello from goroutine 1");
    assertThat(result.exitCode()).isZero();
  }
}
