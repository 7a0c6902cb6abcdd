package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class LivelyTest {
  @Test
  @DisabledOnOs(OS.WINDOWS) // there is no sleep command
  void runsForASecondAndPrintsASummary() throws Exception {
    List<String> lines = Example.of("Lively", "1").run().lines();
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .matches("[1-9][0-9,]* goroutines, [1-9][0-9,]* switches, [0-9,]+ steals");
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("Lively", "for ever")
        .run()
        .isRefused("For how many seconds? A number from 1 to 99999, not: for ever");
  }
}
