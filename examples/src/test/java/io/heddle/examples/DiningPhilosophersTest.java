package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DiningPhilosophersTest {
  private static final List<String> NAMES =
      List.of("Laozi", "Hypatia", "Averroes", "Hume", "Arendt");

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void starveWhenAllReachLeftFirst(int procs) throws Exception {
    Example.Result result = Example.of("DiningPhilosophers").procs(procs).run();
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("deadlock!\nall goroutines are asleep\n");
    assertThat(result.err()).contains("scheduler shared: 6 goroutines");
    for (String name : NAMES) {
      assertThat(result.err()).contains("\"" + name + "\" [chan receive]:\n");
    }
  }

  @Test
  void dineWhenTheForksAreOrdered() throws Exception {
    assertThat(Example.of("DiningPhilosophers", "ordered").run().lines())
        .containsExactlyInAnyOrderElementsOf(
            NAMES.stream().map(name -> name + " has had 3 meals").toList());
  }

  @Test
  void refuseAWrongArgument() throws Exception {
    Example.of("DiningPhilosophers", "with", "chopsticks")
        .run()
        .isRefused(
            "How do they take the forks? Allowed is greedy or ordered, not: with chopsticks");
  }
}
