package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each copy of the library works if several class loaders load it, and the user is told. */
@HangGuard
@Tag("jdks")
class LibraryCopiesTest {
  @TempDir private Path dir;

  @SideBySide
  @ParameterizedTest
  @ValueSource(strings = {ChildJvm.OPENS, "-javaagent:AGENT", "-javaagent:AGENT=adopt"})
  void copiesInOtherClassLoadersWork(String flag) throws Exception {
    Path heddle = HeddleJar.agentIn(dir);
    Path program = new HeddleJar().pack(dir.resolve("program.jar"), ChildJvm.testClasses());
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags(flag.replace("AGENT", heddle.toString()))
            .flags("-cp", heddle + File.pathSeparator + program)
            .run("child.Copies", heddle.toString(), program.toString());
    assertThat(result.out().lines())
        .containsExactly("class path received 42", "first received 42", "second received 42");
    String end = "; each has its own schedulers, and the agent serves only the copy in its own jar";
    assertThat(result.err().lines())
        .containsExactly(
            "heddle: another copy of Heddle is loaded by first, the first was by app" + end,
            "heddle: another copy of Heddle is loaded by second, the first was by app" + end);
    assertThat(result.exitCode()).isZero();
  }
}
