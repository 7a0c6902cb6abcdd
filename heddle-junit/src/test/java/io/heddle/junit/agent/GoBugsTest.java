package io.heddle.junit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Bubble;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each bug is found by trying seeds, the seed shows it every time, and the repaired program passes
 * them all.
 */
@Tag("jdks")
class GoBugsTest {
  private static final int SEEDS = 1_000;

  private static final int REPLAYS = 20;

  @BeforeAll
  static void theAgentIsThere() {
    assertThat(Bubble.explore("io.heddle.junit.agent.*")).as("-javaagent").isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void isFoundAndTheSeedShowsItEachTime(GoBugs bug) {
    Bubble.Outcome found = null;
    for (long seed = 1; seed <= SEEDS && found == null; seed++) {
      Bubble.Outcome outcome = Bubble.of(seed).run(bug.buggy);
      found = outcome.failure() == null ? null : outcome;
    }
    assertThat(found).as("%s under %d seeds", bug, SEEDS).isNotNull();
    System.out.printf(
        "%-20s seed %4d  steps %3d  %s%n",
        bug, found.seed(), found.steps(), text(found).lines().findFirst().orElse(""));
    assertThat(text(found)).contains(bug.symptom);
    for (int i = 0; i < REPLAYS; i++) {
      Bubble.Outcome again = Bubble.of(found.seed()).run(bug.buggy);
      assertThat(again.trail()).isEqualTo(found.trail());
      assertThat(text(again).lines().findFirst()).isEqualTo(text(found).lines().findFirst());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRepairedProgramPassesAllSeeds(GoBugs bug) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Bubble.Outcome outcome = Bubble.of(seed).run(bug.repaired);
      assertThat(outcome.failure()).as("%s with seed %d", bug, seed).isNull();
      assertThat(outcome.outside()).isZero();
    }
  }

  private static String text(Bubble.Outcome outcome) {
    return String.valueOf(outcome.failure());
  }
}
