package io.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The jar as it is used. Runs after it was packed. */
class BenchmarksJarTest {
  /** A signature of a jar that was copied into it would keep the JVM from starting it. */
  @Test
  void jarStarts() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of("target", "benchmarks.jar").toString(),
                "cluster",
                "no number")
            .start();
    String err = new String(process.getErrorStream().readAllBytes());
    assertThat(err).startsWith("arguments: [rounds]");
    assertThat(process.waitFor()).isEqualTo(2);
  }
}
