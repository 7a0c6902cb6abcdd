package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.bench.suite.Results.CellKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final int SIZE = 1_000;

  @Test
  void changeBeyondTheNoiseCounts() {
    Results before = results(new double[] {100, 102, 98}, new double[] {200, 200, 200});
    Results after = results(new double[] {80, 81, 79}, new double[] {200, 200, 200});
    assertThat(only(before, after).verdict()).isEqualTo("better");
    assertThat(only(after, before).verdict()).isEqualTo("WORSE");
    assertThat(new Comparison(before, after).text()).contains("1.25").contains("better");
  }

  @Test
  void changeWithinTheNoiseDoesNotCount() {
    Results before = results(new double[] {100, 120, 80}, new double[] {200, 200, 200});
    Results after = results(new double[] {90, 110, 70}, new double[] {200, 200, 200});
    assertThat(only(before, after).verdict()).isEqualTo("same");
  }

  @Test
  void slowerMachineIsNoChange() {
    Results before = results(new double[] {100, 101, 99}, new double[] {200, 202, 198});
    Results after = results(new double[] {150, 300, 200}, new double[] {300, 600, 400});
    assertThat(only(before, after).verdict()).isEqualTo("same");
    assertThat(only(before, after).better()).isBetween(0.99, 1.01);
  }

  @Test
  void withoutPeersTheFigureItselfCounts() {
    Results before = results(new double[] {100, 101, 99}, new double[] {});
    Results after = results(new double[] {200, 202, 198}, new double[] {});
    assertThat(only(before, after).verdict()).isEqualTo("WORSE");
  }

  @Test
  void fewRoundsShowOnlyLargeChanges() {
    Results before = results(new double[] {100}, new double[] {200});
    assertThat(only(before, results(new double[] {90}, new double[] {200})).verdict())
        .isEqualTo("same");
    assertThat(only(before, results(new double[] {70}, new double[] {200})).verdict())
        .isEqualTo("better");
  }

  private static Comparison.Change only(Results a, Results b) {
    assertThat(new Comparison(a, b).changes()).hasSize(1);
    return new Comparison(a, b).changes().getFirst();
  }

  private static Results results(double[] ours, double[] theirs) {
    Results results = new Results();
    add(results, Contender.HEDDLE, ours);
    add(results, Contender.GO, theirs);
    return results;
  }

  private static void add(Results results, Contender contender, double[] perOperation) {
    for (double each : perOperation) {
      results.add(new CellKey(Row.SPAWN, contender, 2, SIZE), Map.of("nanos", each * SIZE));
    }
  }
}
