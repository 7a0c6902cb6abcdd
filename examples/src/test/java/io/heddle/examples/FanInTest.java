package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FanInTest {
  @Test
  void hearsEveryWordInOrderAndThenTheSilence() throws Exception {
    List<String> lines = Example.of("FanIn", "3000").run().lines();
    assertThat(saidBy("Ann", lines)).isEqualTo("a loom has a warp and a weft");
    assertThat(saidBy("Bob", lines)).isEqualTo("the shuttle carries one through the other");
    assertThat(saidBy("Cleo", lines)).isEqualTo("and the heddle");
    assertThat(lines).hasSize(8 + 7 + 3 + 1).endsWith("nothing for 3000 ms");
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("FanIn", "for ever")
        .run()
        .isRefused("How long to wait? Milliseconds from 1 to 99999, not: for ever");
  }

  private static String saidBy(String name, List<String> lines) {
    String prefix = name + ": ";
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .collect(Collectors.joining(" "));
  }
}
