package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An AOT cache that a run with the agent recorded serves the next run with the agent. */
@HangGuard
@Tag("jdks")
class AotCacheTest {
  @TempDir private Path dir;

  @Test
  void cacheIsRecordedAndUsedUnderTheAgent() throws Exception {
    Path heddle = HeddleJar.agentIn(dir);
    Path program = new HeddleJar().pack(dir.resolve("program.jar"), ChildJvm.testClasses());
    String classPath = heddle + File.pathSeparator + program;
    ChildJvm.Result recorded =
        ChildJvm.bare()
            .in(dir)
            .flags("-XX:AOTCacheOutput=app.aot", "-javaagent:" + heddle + "=adopt")
            .flags("-cp", classPath)
            .run("child.Adopted");
    assertThat(recorded.out()).contains("start heddle-shared", "locks true", "uncaught told");
    assertThat(recorded.err()).doesNotContain("heddle:");
    assertThat(recorded.out() + recorded.err()).contains("AOTCache creation is complete");

    ChildJvm.Result used =
        ChildJvm.bare()
            .in(dir)
            .flags("-XX:AOTCache=app.aot", "-XX:AOTMode=on", "-javaagent:" + heddle + "=adopt")
            .flags("-cp", classPath)
            .run("child.Adopted");
    assertThat(used.err()).isEmpty();
    assertThat(used.out()).contains("start heddle-shared", "locks true", "uncaught told");
    assertThat(used.exitCode()).isZero();
  }
}
