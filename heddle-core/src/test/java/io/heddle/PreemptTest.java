package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -javaagent:heddle.jar=preempt=…}: woven loops yield. */
@HangGuard
class PreemptTest {
  private static final int WANTED = 20;

  /** For loops that are asked once and never yield. */
  private static final String SHORT = "-Dwoven.ticks=1000";

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Agent-Class", "io.heddle.agent.Agent")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "counted",
        "nested",
        "calls",
        "synchronizedMethod",
        "constructor",
        "finally",
        "switch",
        "default",
        "record"
      })
  void s6_wovenLoopOfAnyKindYieldsAndKeepsItsP(String how) throws Exception {
    s6_wovenLoopYieldsAndKeepsItsP(how);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tight", "synchronized", "recursion", "exceptions", "lambda"})
  void s6_wovenLoopYieldsAndKeepsItsP(String how) throws Exception {
    Map<String, Integer> result = hog(child("=preempt=child.*"), how);
    assertThat(result.get("preemptions")).isGreaterThanOrEqualTo(WANTED);
    // A busy machine causes some hand-offs: a goroutine loses its P by force while its thread is
    // off the CPU, and gives it up when it loads a class. Each hand-off may take another thread.
    assertThat(result.get("threads")).isLessThanOrEqualTo(2 + result.get("handoffs"));
  }

  /**
   * Far from its next check, or unable to yield at first: the goroutine does not stay without a P.
   * The same holds after it gave up its P for a call.
   */
  @ParameterizedTest
  @ValueSource(strings = {"seldom", "afterPin", "afterRefusal", "afterCall"})
  void s6_wovenGoroutineThatLostItsPByForceGetsOneBack(String how) throws Exception {
    int wanted = 3;
    Map<String, Integer> result =
        figures(child("=preempt=child.*").run("child.Woven", how, wanted + ""));
    assertThat(result.get("preemptions")).isGreaterThanOrEqualTo(wanted);
    assertThat(result.get("handoffs")).isPositive();
  }

  /** The goroutine also comes back where CPU times of threads are unavailable. */
  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"afterPin", "afterCall"})
  void s6_wovenGoroutineGetsAPBackWithoutCpuTimes(String how) throws Exception {
    int wanted = 3;
    Map<String, Integer> result =
        figures(
            child("=preempt=child.*")
                .flags("--limit-modules", "java.base,java.instrument")
                .run("child.Woven", how, wanted + ""));
    assertThat(result.get("preemptions")).isGreaterThanOrEqualTo(wanted);
  }

  @Test
  void s6_wovenGoroutineOfARemovedPTakesTurns() throws Exception {
    assertThat(child("=preempt=child.*").run("child.FewerPs").out()).contains("both waited");
  }

  @Test
  void s6_unwovenLoopLosesItsPByForce() throws Exception {
    losesItsPByForce(hog(child("=preempt=com.acme.*").flags(SHORT), "tight"));
  }

  @Test
  void s6_pinnedLoopLosesItsPByForce() throws Exception {
    losesItsPByForce(hog(child("=preempt").flags(SHORT), "initialiser"));
  }

  /**
   * The reason is usually that the loop computes. On a busy machine the goroutine may lose its P
   * before its loop begins, while it waits for a class to be loaded; it is pinned then, and enters
   * its loop without a P.
   */
  private static void losesItsPByForce(Map<String, Integer> result) {
    assertThat(result).extractingByKey("handoffs", INTEGER).isPositive();
    // The goroutine has no P, so sysmon does not ask it.
    assertThat(result).extractingByKey("preemptions", INTEGER).isLessThan(WANTED / 2);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"=preempt=child.*", "=adopt,preempt=child.Workloads"})
  void wovenCodeHasTheSameResultsForEveryFilter(String options) throws Exception {
    wovenCodeHasTheSameResults(options);
  }

  @ParameterizedTest
  @ValueSource(strings = "=preempt")
  void wovenCodeHasTheSameResults(String options) throws Exception {
    ChildJvm.Result plain = child("").run("child.Workloads");
    ChildJvm.Result woven = child(options).run("child.Workloads");
    assertThat(woven.err()).isEmpty();
    assertThat(woven.out()).isEqualTo(plain.out()).contains("interrupted true true");
    assertThat(woven.exitCode()).isZero();
  }

  @Tag("jdks")
  @Test
  void propertyOrEnvironmentVariableEnablesWeaving() throws Exception {
    for (ChildJvm child :
        new ChildJvm[] {
          child("").flags("-Dheddle.preempt=child.*"), child("").env("HEDDLE_PREEMPT", "child.*")
        }) {
      assertThat(figures(child.run("child.Woven", "tight", WANTED + "")).get("preemptions"))
          .isGreaterThanOrEqualTo(WANTED);
    }
  }

  /** Classes that are already loaded when the agent attaches are woven as well. */
  @Test
  void agentAttachedLateWeavesLoadedClasses() throws Exception {
    Map<String, Integer> result =
        figures(
            ChildJvm.bare()
                .flags(ChildJvm.OPENS, "-Djdk.attach.allowAttachSelf=true")
                .flags("-XX:+EnableDynamicAgentLoading")
                .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar)
                .run("child.LateAttach", jar.toString(), "tight", WANTED + ""));
    assertThat(result.get("preemptions")).isGreaterThanOrEqualTo(WANTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=preempt=", "=preempt=a*b", "=preempt=,x"})
  void invalidOptionIsReported(String options) throws Exception {
    ChildJvm.Result result = child(options).run("child.PrintProcs");
    assertThat(result.err().lines()).singleElement().asString().startsWith("heddle: ");
    assertThat(result.err()).contains("allowed");
    assertThat(result.exitCode()).isZero();
  }

  private static Map<String, Integer> hog(ChildJvm child, String how) throws Exception {
    ChildJvm.Result result = child.run("child.Woven", how, WANTED + "");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return figures(result);
  }

  private static Map<String, Integer> figures(ChildJvm.Result result) {
    return result
        .out()
        .lines()
        .map(line -> line.split("="))
        .collect(Collectors.toMap(parts -> parts[0], parts -> Integer.valueOf(parts[1])));
  }

  private static ChildJvm child(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options, "-ea")
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
