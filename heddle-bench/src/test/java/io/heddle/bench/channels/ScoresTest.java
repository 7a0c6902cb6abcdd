package io.heddle.bench.channels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ScoresTest {
  @Test
  void medianBetweenLeastAndMost() {
    assertThat(scores(30, 10, 21).show(0)).isEqualTo("21 [10, 30]");
    assertThat(scores(30, 10, 21).median()).isEqualTo(21);
  }

  @Test
  void ofTwoTheLower() {
    assertThat(scores(8, 4).median()).isEqualTo(4);
  }

  @Test
  void aSingleFigureStandsAlone() {
    assertThat(scores(1.26).show(1)).isEqualTo("1.3");
  }

  private static Scores scores(double... values) {
    Scores scores = new Scores();
    DoubleStream.of(values).forEach(scores::add);
    return scores;
  }
}
