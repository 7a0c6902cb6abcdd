package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchCommandTest {
  @Test
  void benchPartIsTheDefault() {
    assertThat(BenchCommand.argumentsForJar(List.of())).containsExactly("bench");
    assertThat(BenchCommand.argumentsForJar(List.of("--help"))).containsExactly("bench", "--help");
    assertThat(BenchCommand.argumentsForJar(List.of("bench", "--list")))
        .containsExactly("bench", "--list");
    assertThat(BenchCommand.argumentsForJar(List.of("waiters"))).containsExactly("waiters");
    assertThat(BenchCommand.argumentsForJar(List.of("3", "-wi", "4")))
        .containsExactly("3", "-wi", "4");
  }
}
