package io.heddle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The CPU's name, from Linux's cpuinfo or else from the JVM. */
class CpuModelTest {
  @Test
  void modelNameIsTakenFromCpuInfo() {
    assertThat(CpuModel.nameIn(Stream.of("vendor_id\t: X", "model name\t: Chip 3: 4 GHz", "x: y")))
        .isEqualTo("Chip 3: 4 GHz");
  }

  @Test
  void withoutAModelNameTheArchitectureIsNamed() {
    assertThat(CpuModel.nameIn(Stream.of("CPU part : 0xd0c")))
        .isEqualTo(System.getProperty("os.arch"));
  }
}
