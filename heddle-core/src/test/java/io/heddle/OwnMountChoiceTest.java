package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.jdk.JdkFeature;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The own mount is used unless another agent has transformed the code that it stands in for. */
@Tag("jdks")
@HangGuard
class OwnMountChoiceTest {
  private static final String OFF =
      JdkFeature.OWN_MOUNT.offBecause("another agent has transformed java.lang.VirtualThread")
          + "\n";

  @TempDir private static Path dir;
  private static Path heddle;
  private static Path looking;
  private static Path changing;

  @BeforeAll
  static void pack() throws Exception {
    heddle = HeddleJar.agentIn(dir);
    looking = HeddleJar.agent("child.Retransformer").pack(dir.resolve("looking.jar"));
    changing = HeddleJar.agent("child.MountWeaver").pack(dir.resolve("changing.jar"));
  }

  @Test
  void libraryStepsAsideForAnAgentThatTransformedTheMount() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-javaagent:" + looking).run("child.Mounted");
    assertThat(result).isEqualTo(new ChildJvm.Result(0, "jdk 499500\n", OFF));
  }

  @Tag("full")
  @Test
  void settingThatCannotBeHonouredIsAnError() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-javaagent:" + looking, "-Dheddle.mount=own")
            .run("child.Mounted");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err())
        .contains("heddle.mount is own, which does not work here: another agent has transformed")
        .doesNotContain(OFF);
  }

  @Tag("full")
  @Test
  void nativeAgentThatDoesNotChangeClassesIsNoReason() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y")
            .run("child.Mounted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo("own 499500");
  }

  /** The other agent is the later one: the choice must wait for it. */
  @Test
  void agentStepsAsideForALaterAgentThatTransformedTheMount() throws Exception {
    assertThat(runBeside(changing, "mount", true))
        .isEqualTo(new ChildJvm.Result(0, "jdk 499500\n", OFF));
  }

  /** An agent that changes nothing looks the same to Heddle as one that changes the mount. */
  @Tag("full")
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void agentStepsAsideForAnAgentThatOnlyLooks(boolean oursFirst) throws Exception {
    assertThat(runBeside(looking, "", oursFirst))
        .isEqualTo(new ChildJvm.Result(0, "jdk 499500\n", OFF));
  }

  @Test
  void agentAloneUsesTheOwnMount() throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-javaagent:" + heddle + "=adopt")
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + heddle)
            .run("child.Mounted");
    assertThat(result).isEqualTo(new ChildJvm.Result(0, "own 499500\n", ""));
  }

  private static ChildJvm.Result runBeside(Path other, String option, boolean oursFirst)
      throws Exception {
    String ours = "-javaagent:" + heddle + "=adopt";
    String theirs = "-javaagent:" + other + "=" + option;
    return ChildJvm.bare()
        .flags(oursFirst ? ours : theirs, oursFirst ? theirs : ours)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + heddle)
        .run("child.Mounted");
  }
}
