package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code HEDDLE=off}: the library works on plain virtual threads and needs no flag, and the agent
 * does nothing. The execution {@code switched-off} of the tier full runs the tests of channels,
 * locks, timers and schedulers in that mode, too.
 */
@HangGuard
class SwitchedOffTest {
  private static final String CLASS_PATH =
      ChildJvm.classes() + File.pathSeparator + ChildJvm.testClasses();

  @TempDir private Path dir;

  @SideBySide
  @Test
  void everyPartOfTheLibraryWorksWithoutAFlag() throws Exception {
    ChildJvm.Result result = withoutFlag().env("HEDDLE", "off").run("child.SwitchedOff");
    assertThat(result.exitCode()).as(result.toString()).isZero();
    String missing = ": Heddle is off (HEDDLE=off), and goroutines are plain virtual threads";
    assertThat(result.out().lines())
        .containsExactly(
            "channel: 14",
            "select: true",
            "timer: true",
            "ticker: true",
            "code of a timer: fired",
            "context: true",
            "blocking: called",
            "mutex and group: 100",
            "dump: true",
            "state: DEAD",
            "scheduler of a goroutine: true",
            "scheduler of a task: true",
            "factory: true",
            "goroutines: 0",
            "recorded wait: fired",
            "lockThread: lockThread is not possible" + missing,
            "leaked: leaks cannot be found" + missing,
            "flight: the flight recorder is off" + missing,
            "bubble: Heddle's scheduler" + missing,
            "procs: true",
            "scheduler shared: 0 goroutines, no Ps and Ms" + missing);
    assertThat(result.err())
        .contains("trace has no effect" + missing)
        .contains("procs(7) has no effect" + missing);
  }

  @SideBySide
  @Test
  void agentDoesNothing() throws Exception {
    ChildJvm.Result result =
        withAgent("=adopt,preempt,procs=abc,bogus").env("HEDDLE", "off").run("child.Adopted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("start ForkJoinPool\n").doesNotContain("heddle");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void agentOpensNothing() throws Exception {
    ChildJvm.Result result =
        withAgent("=adopt").env("HEDDLE", "off").flags("-Xlog:class+load").run("child.Hello");
    assertThat(result.out())
        .contains("hello from goroutine 1")
        .contains("io.heddle.PlainGoroutine ")
        .doesNotContain("io.heddle.internal.sched.Sched ")
        .doesNotContain("io.heddle.internal.jdk.ThreadBuilderPatch ");
  }

  @SideBySide
  @Test
  void propertyPrecedesVariable() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .env("HEDDLE", "off")
            .env("HEDDLE_BANNER", "true")
            .flags("-Dheddle=on")
            .run("child.Hello");
    assertThat(result.err()).contains(", library; procs=");
    assertThat(result.exitCode()).isZero();
  }

  @SideBySide
  @Test
  void misspeltValueIsAnError() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().env("HEDDLE", "of").run("child.Hello");
    assertThat(result.err()).contains("HEDDLE=of: allowed is on or off");
    assertThat(result.exitCode()).isNotZero();
  }

  @SideBySide
  @Test
  void misspeltValueStopsTheAgent() throws Exception {
    ChildJvm.Result result = withAgent("=adopt").env("HEDDLE", "disabled").run("child.Adopted");
    assertThat(result.err().lines())
        .singleElement()
        .isEqualTo("heddle: HEDDLE=disabled: allowed is on or off; the program runs without it");
    assertThat(result.out()).contains("start ForkJoinPool\n").doesNotContain("heddle");
  }

  @SideBySide
  @Test
  @Tag("full")
  void closeWaitsForThreadsOfTheFactory() throws Exception {
    ChildJvm.Result result =
        withoutFlag().env("HEDDLE", "off").run("child.SwitchedOffClose", "200");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().strip()).isEqualTo("all ended");
  }

  private static ChildJvm withoutFlag() {
    return ChildJvm.bare().flags("-ea", "-cp", CLASS_PATH);
  }

  private ChildJvm withAgent(String options) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags(
            "-cp",
            String.join(File.pathSeparator, List.of(jar.toString(), "" + ChildJvm.testClasses())));
  }
}
