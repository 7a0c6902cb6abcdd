package io.heddle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that the demo prints at its end runs exactly as printed. */
class NextStepsTest {
  @TempDir Path folder;

  @Test
  void printedProgramRuns() throws Exception {
    Path source = Files.writeString(folder.resolve("Hello.java"), NextSteps.PROGRAM);
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags(ChildJvm.OPENS, "-cp", ChildJvm.classes().toString())
            .run(source.toString());
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("hello from goroutine ");
    assertThat(result.exitCode()).isZero();
  }
}
