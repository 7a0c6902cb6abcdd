package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  @Test
  void medianAndSpread() {
    Series series = new Series(List.of(30.0, 10.0, 20.0));
    assertThat(series.median()).isEqualTo(20);
    assertThat(series.spread()).isEqualTo(0.5, within(1e-9));
    assertThat(series.show()).isEqualTo("20.0 [10.0, 30.0]");
    assertThat(new Series(List.of(8.0, 4.0)).median()).isEqualTo(6);
  }

  @Test
  void missingEventIsShownAsNever() {
    assertThat(new Series(List.of(NEVER, NEVER)).show()).isEqualTo("never");
    assertThat(new Series(List.of(1.0, NEVER, NEVER)).show()).isEqualTo("never [1.00, never]");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.126, 0.13",
    "9.999, 10.00",
    "12.34, 12.3",
    "123.4, 123",
    "1234567, 1 234 567"
  })
  void showsThreeSignificantDigits(double value, String shown) {
    assertThat(Series.show(value)).isEqualTo(shown);
  }
}
