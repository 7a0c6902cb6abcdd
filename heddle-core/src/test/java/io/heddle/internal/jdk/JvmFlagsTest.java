package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link JvmFlags} reads from the flags of a JVM. */
class JvmFlagsTest {
  @Test
  void flagsOfThisJvmAreKnown() {
    assertThat(JvmFlags.given()).contains("--add-opens=java.base/java.lang=ALL-UNNAMED");
  }

  @ParameterizedTest
  @CsvSource({
    "-Xss512k, 524288",
    "-Xss2M, 2097152",
    "-Xss1g, 1073741824",
    "-Xss700000, 700000",
    "-XX:ThreadStackSize=256, 262144",
    "-Xss2m -XX:ThreadStackSize=1024k, 1048576",
    "-XX:ThreadStackSize=1 -Xss4m, 4194304"
  })
  void lastSizeOfTheStackCounts(String flags, long bytes) {
    assertThat(JvmFlags.stackBytes(List.of(flags.split(" ")))).isEqualTo(bytes);
  }

  @Test
  void sizeOfTheStackHasADefault() {
    assertThat(JvmFlags.stackBytes(List.of("-Xmx1g"))).isIn(1L << 20, 2L << 20);
  }

  @ParameterizedTest
  @CsvSource({
    "-XX:ActiveProcessorCount=3, true", "-XX:-UseContainerSupport, true",
    "-XX:+UseContainerSupport, false", "-Xmx1g, false"
  })
  void flagsMayFixTheNumberOfCpus(String flag, boolean fix) {
    assertThat(JvmFlags.fixCpus(List.of(flag))).isEqualTo(fix);
  }
}
