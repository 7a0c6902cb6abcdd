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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What depends on the release of the JDK, in child JVMs: deadlocks in waits of the JDK, final
 * fields, and a release that Heddle does not know.
 */
@HangGuard
@Tag("jdks")
class EachJdkTest {
  private static final String UNKNOWN_RELEASE = "-Dheddle.pretend.jdk=99";
  private static final String DENY = "--illegal-final-field-mutation=deny";

  /** The release that has this flag first. */
  private static final int FIRST_WITH_DENY = 26;

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  @SideBySide
  @ParameterizedTest
  @CsvSource({"monitors,monitor of java.lang.Object@", "locks,ReentrantLock", "joins,Thread.join"})
  void deadlockIsReported(String kind, String what) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.deadlock=exit").run("child.JdkDeadlock", kind);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("fatal error: deadlock!\n")
        .containsPattern("\"main\" waits for .*" + what + ".* of goroutine \\d+ \"other\"")
        .containsPattern("\"other\" waits for .*" + what + ".* of goroutine \\d+ \"main\"");
  }

  @SideBySide
  @Test
  void libraryWritesNoFinalFieldThroughReflection() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().flags(deny()).run("child.Hello");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualToIgnoringNewLines("hello from goroutine 1");
  }

  @SideBySide
  @Test
  void agentWritesNoFinalFieldThroughReflection() throws Exception {
    ChildJvm.Result result = withAgent("=adopt").flags(deny()).run("child.Adopted");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("start heddle-shared", "child heddle-shared");
  }

  @SideBySide
  @Test
  void goroutinesRunOnUnknownRelease() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags(UNKNOWN_RELEASE).run("child.Workloads", "3");
    ChildJvm.Result known = ChildJvm.onClassPath().run("child.Workloads", "3");
    assertSaysThatReleaseIsUnknown(result);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualTo(known.out());
  }

  /** Nothing is reported, and nothing crashes. */
  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {"monitors", "locks", "joins"})
  void deadlockOnUnknownReleaseIsLeftAlone(String kind) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags(UNKNOWN_RELEASE).run("child.JdkDeadlock", kind, "end");
    assertSaysThatReleaseIsUnknown(result);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).isEqualTo("both wait\n");
  }

  @SideBySide
  @Test
  void agentOnUnknownReleaseAdoptsNothingAndProgramRuns() throws Exception {
    ChildJvm.Result plain =
        ChildJvm.bare().flags("-cp", ChildJvm.testClasses().toString()).run("child.Adopted");
    ChildJvm.Result result =
        withAgent("=adopt,preempt").flags(UNKNOWN_RELEASE).run("child.Adopted");
    assertSaysThatReleaseIsUnknown(result);
    assertThat(result.out()).isEqualTo(plain.out());
    assertThat(result.exitCode()).isZero();
  }

  /** Returns the flag that refuses such writes; none on a JDK that has no such flag. */
  private static String[] deny() {
    return Runtime.version().feature() < FIRST_WITH_DENY ? new String[0] : new String[] {DENY};
  }

  @SideBySide
  @Test
  void watchModeOnUnknownReleaseIsOffAndProgramRuns() throws Exception {
    ChildJvm.Result plain =
        ChildJvm.bare().flags("-cp", ChildJvm.testClasses().toString()).run("child.Adopted");
    ChildJvm.Result result = withAgent("=watch").flags(UNKNOWN_RELEASE).run("child.Adopted");
    assertSaysThatReleaseIsUnknown(result);
    assertThat(result.err()).contains("watch mode");
    assertThat(result.out()).isEqualTo(plain.out());
    assertThat(result.exitCode()).isZero();
  }

  private static void assertSaysThatReleaseIsUnknown(ChildJvm.Result result) {
    List<String> lines = result.err().lines().toList();
    assertThat(lines).singleElement().asString().startsWith("heddle: ");
    assertThat(result.err())
        .contains("made for JDK 25, 26, 27 or 28, and this is JDK 99")
        .contains("adoption", "the own mount", "the socket poller");
  }

  private static ChildJvm withAgent(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
