package io.heddle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Go;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that the demo prints at its end runs exactly as printed. */
class NextStepsTest {
  @TempDir Path folder;

  @Test
  void printedProgramRuns() throws Exception {
    Path source = Files.writeString(folder.resolve("Hello.java"), NextSteps.PROGRAM);
    Path heddle = Path.of(Go.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "-cp",
                heddle.toString(),
                source.toString())
            .redirectErrorStream(true)
            .start();

    String output = new String(java.getInputStream().readAllBytes());
    assertThat(java.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).startsWith("hello from goroutine ");
    assertThat(java.exitValue()).isZero();
  }
}
