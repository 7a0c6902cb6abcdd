package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
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

/**
 * With the agent, goroutines wait for the JDK's sockets in Heddle's poller, and nothing else
 * changes: rule T2.
 */
@HangGuard
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
@Tag("jdks")
class SocketPollPatchTest {
  private static final String POLLERS = "JDK pollers ";

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  /** Many connections wait, so that one poll does not return all that are ready. */
  @SideBySide
  @Test
  void t2_everySocketWaitBehavesAsInTheJdk() throws Exception {
    t2_everySocketWaitBehavesAsInTheJdkWithoutJdkPollers(2);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void t2_everySocketWaitBehavesAsInTheJdkWithoutJdkPollers(int procs) throws Exception {
    ChildJvm.Result plain = ChildJvm.bare().flags(classPath()).run("child.SocketUser", "5000");
    ChildJvm.Result adopted = child("=adopt,procs=" + procs).run("child.SocketUser", "5000");
    assertThat(adopted.err()).isEmpty();
    assertThat(withoutPollers(adopted)).isEqualTo(withoutPollers(plain)).hasSize(25);
    assertThat(adopted.out()).endsWith(POLLERS + "0\n");
    assertThat(plain.out()).doesNotContain(POLLERS + "0\n").contains(POLLERS);
  }

  @SideBySide
  @Test
  void t2_schedulersShareSocketsAndReleaseTheirPollers() throws Exception {
    ChildJvm.Result result = child("").flags("-ea").run("child.SocketSchedulers");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo("our poller true\npollers left 0\nearly and late 800\nplain 400\n");
  }

  private static List<String> withoutPollers(ChildJvm.Result result) {
    return result.out().lines().filter(line -> !line.startsWith(POLLERS)).toList();
  }

  private static ChildJvm child(String options) {
    return ChildJvm.bare().flags("-javaagent:" + jar + options).flags(classPath());
  }

  private static String[] classPath() {
    return new String[] {"-cp", ChildJvm.testClasses() + File.pathSeparator + jar};
  }
}
