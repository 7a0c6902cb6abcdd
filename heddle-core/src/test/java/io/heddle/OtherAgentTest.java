package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.jdk.JdkFeature;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The changes that the agent makes to classes of the JDK last when another agent, such as a
 * profiler, retransforms the same classes.
 */
@HangGuard
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
@Tag("jdks")
class OtherAgentTest {
  @TempDir private static Path dir;
  private static Path heddle;
  private static Path other;

  @BeforeAll
  static void pack() throws Exception {
    heddle = HeddleJar.agentIn(dir);
    other = HeddleJar.agent("child.Retransformer").pack(dir.resolve("other.jar"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retransformationByAnotherAgentKeepsEveryChange(boolean otherFirst) throws Exception {
    String ours = "-javaagent:" + heddle + "=adopt";
    String theirs = "-javaagent:" + other;
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags(otherFirst ? theirs : ours, otherFirst ? ours : theirs)
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + heddle)
            .run("child.Retransformed");
    assertThat(result.err().strip())
        .isEqualTo(
            JdkFeature.OWN_MOUNT.offBecause(
                "another agent has transformed java.lang.VirtualThread"));
    assertThat(result.out())
        .isEqualTo(
            """
            adopted at the start: true
            reader at the start: Socket closed
            early reader: Socket closed
            adopted later: true
            reader later: Socket closed
            JDK's timer thread: false
            JDK's poller: false
            """);
    assertThat(result.exitCode()).isZero();
  }
}
