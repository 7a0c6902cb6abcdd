package io.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The jar that {@code heddle bench} starts. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BenchmarksJarIT {
  @Test
  void jarStarts() throws Exception {
    String jar = System.getProperty("benchmarks.jar");
    assumeTrue(jar != null, "runs after the jar is made");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process bench =
        new ProcessBuilder(java, "-jar", jar, "bench", "--help")
            .redirectErrorStream(true)
            .start();
    String said = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bench.waitFor()).as(said).isZero();
    assertThat(said).startsWith("Usage: bench [options]");
  }
}
