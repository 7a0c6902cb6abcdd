package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.internal.jdk.JdkFeature;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Debuggers, {@code getStackTrace} and {@code StackWalker} see the same frames, local variables and
 * threads of an adopted program as of the program on the JDK's scheduler.
 */
@Tag("jdks")
@HangGuard
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "gcc compiles the JVMTI agent")
class DebuggerViewTest {
  private static final Path SOURCE = Path.of("src/test/native/debugger_view.c");

  @TempDir private static Path dir;
  private static Path library;
  private static Path heddle;

  @BeforeAll
  static void compile() throws Exception {
    Path include = Path.of(System.getProperty("java.home"), "include");
    assumeTrue(Files.isRegularFile(include.resolve("jvmti.h")), "this JDK has no jvmti.h");
    assumeTrue(isOnPath("gcc"), "gcc is not in the PATH");
    library = dir.resolve(System.mapLibraryName("debugger_view"));
    List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-Wall"));
    command.add("-I" + include);
    try (Stream<Path> files = Files.list(include)) {
      files.filter(Files::isDirectory).forEach(os -> command.add("-I" + os));
    }
    command.addAll(List.of("-o", library.toString(), SOURCE.toString()));
    Process gcc = new ProcessBuilder(command).inheritIO().start();
    assertThat(gcc.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(gcc.exitValue()).isZero();
    heddle = HeddleJar.agentIn(dir);
  }

  @ParameterizedTest
  @ValueSource(strings = {"own", "jdk"})
  void adoptedProgramLooksAsOnTheJdk(String mounter) throws Exception {
    List<String> plain = view(List.of());
    List<String> adopted =
        view(List.of("-javaagent:" + heddle + "=adopt", "-Dheddle.mount=" + mounter));
    assertThat(plain)
        .contains(
            "debugger parks: java/lang/VirtualThread.park",
            "debugger parks: child/DebuggerView.parks 11",
            "debugger yields: java/lang/VirtualThread.yieldContinuation",
            "carrier: 0",
            "wake-ups while suspended: 0",
            "started: [computes, enters, parks, sleeps, waits, yields]");
    assertThat(adopted).isEqualTo(plain);
  }

  /** Fails, by its time limit, if the own mount does not tell the JVM of the parks and yields. */
  @Test
  void suspendedGoroutineWaitsUntilItIsResumed() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.mount=own", "-Dheddle.procs=3")
            .flags("--enable-native-access=ALL-UNNAMED", "-Djava.library.path=" + dir)
            .flags("-agentpath:" + library)
            .run("child.SuspendedGoroutines");
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines().toList())
        .containsSubsequence(
            "own",
            "java/lang/HeddleMount.park",
            "io/heddle/Chan.receive",
            "child/SuspendedGoroutines.receive",
            "java/lang/VirtualThread.run",
            "suspended: 0",
            "resumed: 1");
  }

  @Test
  void agentThatIsNotKnownLeavesTheMountToTheJdk() throws Exception {
    ChildJvm.Result result = run(List.of("-javaagent:" + heddle + "=adopt"));
    assertThat(result.err().strip())
        .isEqualTo(
            JdkFeature.OWN_MOUNT.offBecause(
                "a native agent may have changed VirtualThread (-agentpath:" + library + ")"));
  }

  private static List<String> view(List<String> flags) throws Exception {
    ChildJvm.Result result = run(flags);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return result.out().lines().toList();
  }

  private static ChildJvm.Result run(List<String> flags) throws Exception {
    return ChildJvm.bare()
        .flags(flags.toArray(String[]::new))
        .flags("-Djdk.virtualThreadScheduler.parallelism=3", "-Dheddle.procs=3") // two are occupied
        .flags(ChildJvm.OPENS) // for the state of a thread
        .flags("--enable-native-access=ALL-UNNAMED", "-Djava.library.path=" + dir)
        .flags("-agentpath:" + library, "-cp", ChildJvm.testClasses().toString())
        .run("child.DebuggerView");
  }

  private static boolean isOnPath(String command) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(dir -> Files.isExecutable(Path.of(dir, command)));
  }
}
