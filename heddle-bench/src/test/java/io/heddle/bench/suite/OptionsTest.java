package io.heddle.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
  @Test
  void defaultMeasuresEverything() {
    Options options = Options.parse(List.of());
    assertThat(options.rows).containsExactly(Row.values());
    assertThat(options.contenders).containsExactly(Contender.values());
    assertThat(options.rounds()).isEqualTo(5);
    assertThat(options.quick).isFalse();
  }

  @Test
  void allOptionsAreParsed() {
    String args = "--quick --only ping-pong,http --peers go,jox --rounds 3 --procs 4 --out o";
    Options options = Options.parse(List.of((args + " --append x.json").split(" ")));
    assertThat(options.rows).containsExactly(Row.PING_PONG_1, Row.PING_PONG_2, Row.HTTP);
    assertThat(options.contenders).containsExactly(Contender.HEDDLE, Contender.GO, Contender.JOX);
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.procs).isEqualTo(4);
    assertThat(options.out).isEqualTo(Path.of("o"));
    assertThat(options.append).isEqualTo(Path.of("x.json"));
  }

  @Test
  void singleRowOfAFamilyCanBeNamed() {
    assertThat(Options.parse(List.of("--only", "ping-pong-2")).rows)
        .containsExactly(Row.PING_PONG_2);
    assertThat(Options.parse(List.of("--only", "growth")).rows)
        .containsExactly(Row.GROWTH_SPAWN, Row.GROWTH_PAIRS, Row.GROWTH_SKYNET);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--fast | unknown argument '--fast'",
        "--html x.html | --html is no option of bench, which writes several files: --out DIR",
        "--only | --only needs a value",
        "--only spawn,spwn | 'spwn' is not a row: allowed are spawn,ping-pong,ring,",
        "--only , | '' is not a row",
        "--peers erlang | 'erlang' is not a contender: allowed are heddle,go,jdk,kotlin,jox,tokio",
        "--rounds 0 | --rounds '0': allowed is a number from 1 to 100",
        "--rounds 101 | --rounds '101'",
        "--procs many | --procs 'many': allowed is a number from 1 to 1024",
        "--compare a.json | --compare needs two files",
      })
  void wrongArgumentsAreNamed(String args, String message) {
    assertThatThrownBy(() -> Options.parse(List.of(args.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
