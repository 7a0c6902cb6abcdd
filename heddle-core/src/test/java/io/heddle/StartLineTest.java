package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line that says at the start what runs here: see {@code heddle.banner}. */
@HangGuard
class StartLineTest {
  private static final String START =
      "heddle: version "
          + "(not packaged), JDK "
          + Runtime.version()
          + " ("
          + System.getProperty("java.vendor")
          + "), ";

  @TempDir private Path dir;

  @SideBySide
  @ParameterizedTest
  @CsvSource({
    "'',                     'agent, adopts no threads'",
    "'=adopt,procs=3',       'agent, adopts all threads; procs=3'",
    "'=adopt=a*,b,preempt=c','agent, adopts a*,b, weaves c; procs='",
  })
  void agentPrintsIt(String options, String expected) throws Exception {
    ChildJvm.Result result = withAgent(options).withBanner().run("child.PrintProcs");
    assertThat(result.err().lines()).singleElement().asString().startsWith(START + expected);
  }

  @SideBySide
  @Test
  void libraryPrintsItOnlyIfAsked() throws Exception {
    ChildJvm.Result silent = ChildJvm.onClassPath().withBanner().run("child.Hello");
    assertThat(silent.err()).isEmpty();
    ChildJvm.Result asked =
        ChildJvm.onClassPath()
            .flags("-Dheddle.banner=true", "-Dheddle.procs=2", "-Dheddle.mount=own")
            .run("child.Hello");
    assertThat(asked.err().lines())
        .singleElement()
        .isEqualTo(START + "library; procs=2; mount=own");
  }

  @SideBySide
  @Test
  void offIsSaidWithTheSettingsThatHaveNoEffect() throws Exception {
    ChildJvm.Result result =
        withAgent("=adopt")
            .withBanner()
            .env("HEDDLE", "off")
            .env("HEDDLE_PROCS", "4")
            .flags("-Dheddle.dashboard=0")
            .run("child.Hello");
    assertThat(result.err().lines())
        .singleElement()
        .isEqualTo(
            START
                + "off, HEDDLE=off: virtual threads and goroutines run on the JDK's scheduler;"
                + " without effect: HEDDLE_PROCS, heddle.dashboard");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void otherValueIsAnError() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.banner=loud").run("child.Hello");
    assertThat(result.err()).contains("heddle.banner is \"loud\": allowed is true or false");
    assertThat(result.exitCode()).isNotZero();
  }

  private ChildJvm withAgent(String options) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", jar + File.pathSeparator + ChildJvm.testClasses());
  }
}
