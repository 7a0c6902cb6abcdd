package io.heddle.bench.channels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CellFiguresTest {
  @Test
  void showsMedianLeastAndMost() {
    assertThat(scores(30, 10, 21).show(0)).isEqualTo("21 [10, 30]");
    assertThat(scores(30, 10, 21).median()).isEqualTo(21);
  }

  @Test
  void medianOfTwoIsTheirMean() {
    assertThat(scores(8, 4).median()).isEqualTo(6);
  }

  @Test
  void singleFigureIsShownAlone() {
    assertThat(scores(1.26).show(1)).isEqualTo("1.3");
  }

  private static CellFigures scores(double... values) {
    CellFigures scores = new CellFigures();
    DoubleStream.of(values).forEach(scores::add);
    return scores;
  }
}
