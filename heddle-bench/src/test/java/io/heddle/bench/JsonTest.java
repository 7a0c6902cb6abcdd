package io.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void writtenValuesAreReadBack() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("name", "a \"quoted\" \\ line\n\twith µ and \u0001");
    value.put("numbers", List.of(1.0, -2.5, 1e300));
    value.put("nothing", null);
    value.put("empty", List.of());
    value.put("none", Map.of());
    value.put("yes", true);
    assertThat(Json.read(Json.write(value))).isEqualTo(value);
  }

  @Test
  void wholeNumbersHaveNoPointAndInfinityIsNull() {
    List<Double> numbers = new ArrayList<>(List.of(5.0, 0.5, Double.POSITIVE_INFINITY));
    assertThat(Json.write(numbers)).isEqualTo("[5,0.5,null]");
  }

  @Test
  void foreignSpacesAndEscapesAreRead() {
    assertThat(Json.read(" { \"a\\u0041\\/\" : [ 1 , null , false ] } "))
        .isEqualTo(Map.of("aA/", Arrays.asList(1.0, null, false)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[1,",
        "[1 2]",
        "{\"a\" 1}",
        "\"open",
        "\"\\x\"",
        "\"\\u12\"",
        "tru",
        "1 2"
      })
  void errorsNameTheirPosition(String text) {
    assertThatThrownBy(() -> Json.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("JSON: expected .* at character \\d+");
  }
}
