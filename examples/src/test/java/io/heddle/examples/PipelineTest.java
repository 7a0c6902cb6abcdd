package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PipelineTest {
  @Test
  void factorsNumbers() throws Exception {
    assertThat(Example.of("Pipeline", "1", "2", "12", "97", "999985999949").run().lines())
        .containsExactlyInAnyOrder(
            "1 = 1", "2 = 2", "12 = 2 * 2 * 3", "97 = 97", "999985999949 = 999983 * 1000003");
  }

  @Test
  void hasDefaultNumbers() throws Exception {
    assertThat(Example.of("Pipeline").run().lines())
        .hasSize(5)
        .contains("600851475143 = 71 * 839 * 1471 * 6857");
  }

  /**
   * The other stages end, whatever they were doing, and the failure is the one that is reported.
   */
  @Test
  void refusesAWrongNumberAmongOthers() throws Exception {
    Example.Result result = Example.of("Pipeline", "999999999999989", "7", "x", "8", "9").run();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err().strip()).isEqualTo("Which numbers? From 1 to 999999999999999, not: x");
    assertThat(result.out()).isSubsetOf("7 = 7", "999999999999989 = 999999999999989");
  }
}
