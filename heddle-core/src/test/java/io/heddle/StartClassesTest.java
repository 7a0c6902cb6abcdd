package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hello world loads no class that is slow to load and that it does not need. All of these classes
 * were once loaded at each start.
 */
@HangGuard
class StartClassesTest {
  private static final List<String> SLOW =
      List.of(
          "java.util.logging.",
          "java.util.regex.Pattern",
          "java.lang.invoke.StringConcatFactory",
          "java.lang.runtime.ObjectMethods",
          "java.lang.classfile.ClassTransform",
          "jdk.internal.foreign.abi.AbstractLinker",
          "java.lang.management.ManagementFactory$PlatformMBeanFinder",
          "javax.management.",
          "io.heddle.internal.poll.Epoll",
          "io.heddle.internal.dashboard.",
          "io.heddle.JmxRegistry");

  @TempDir private Path dir;

  @Test
  void libraryLoadsNoSlowClass() throws Exception {
    assertNoSlowClass(ChildJvm.onClassPath(), "child.Greeting");
  }

  @Test
  void launcherLoadsNoSlowClass() throws Exception {
    String heddle = HeddleJar.agentIn(dir).toString();
    String tests = ChildJvm.testClasses().toString();
    assertNoSlowClass(ChildJvm.bare(), "-jar", heddle, "-cp", tests, "child.VirtualGreeting");
  }

  @Test
  void agentLoadsNoSlowClass() throws Exception {
    Path heddle = HeddleJar.agentIn(dir);
    assertNoSlowClass(
        ChildJvm.bare()
            .flags("-javaagent:" + heddle + "=adopt")
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + heddle),
        "child.VirtualGreeting");
  }

  /** The test would notice such a class. */
  @Test
  void launcherLoadsThePollerForSockets() throws Exception {
    String heddle = HeddleJar.agentIn(dir).toString();
    String tests = ChildJvm.testClasses().toString();
    List<String> loaded = loaded(ChildJvm.bare(), "-jar", heddle, "-cp", tests, "child.Adopted");
    assertThat(loaded).contains("io.heddle.internal.poll.EpollPoller");
  }

  private void assertNoSlowClass(ChildJvm child, String... main) throws Exception {
    assertThat(loaded(child, main))
        .hasSizeGreaterThan(500)
        .filteredOn(name -> SLOW.stream().anyMatch(name::startsWith))
        .isEmpty();
  }

  private List<String> loaded(ChildJvm child, String... main) throws Exception {
    Path file = dir.resolve("loaded.txt");
    ChildJvm.Result result = child.flags("-Xlog:class+load:file=" + file + ":none").run(main);
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.err()).isEmpty();
    try (var lines = Files.lines(file)) {
      return lines.map(line -> line.substring(0, line.indexOf(' '))).toList();
    }
  }
}
