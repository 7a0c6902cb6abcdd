package io.heddle.bench.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelsOptionsTest {
  @Test
  void defaultMeasuresEverything() {
    ChannelsOptions options = ChannelsOptions.parse(List.of());
    assertThat(options.procs()).containsExactly(1, 2);
    assertThat(options.works()).containsExactly(ChannelWorkload.values());
    assertThat(options.rounds()).isEqualTo(5);
    assertThat(options.isShort()).isFalse();
    assertThat(options.alloc()).isFalse();
  }

  @Test
  void allOptionsAreParsed() {
    ChannelsOptions options =
        ChannelsOptions.parse(
            List.of(
                "--quick",
                "--alloc",
                "--procs",
                "2",
                "--rounds",
                "7",
                "--works",
                "select,buffered"));
    assertThat(options.procs()).containsExactly(2);
    assertThat(options.works()).containsExactly(ChannelWorkload.BUFFERED, ChannelWorkload.SELECT);
    assertThat(options.rounds()).isEqualTo(7);
    assertThat(options.isShort()).isTrue();
    assertThat(options.alloc()).isTrue();
  }

  @Test
  void quickIsOneRoundUnlessRoundsAreGiven() {
    assertThat(ChannelsOptions.parse(List.of("--quick")).rounds()).isEqualTo(1);
    assertThat(ChannelsOptions.parse(List.of("--rounds", "3", "--quick")).rounds()).isEqualTo(3);
  }

  @Test
  void skynetBytesOnlyOnRequest() {
    assertThat(ChannelsOptions.parse(List.of("--alloc")).works())
        .doesNotContain(ChannelWorkload.SKYNET)
        .hasSize(ChannelWorkload.values().length - 1);
    assertThat(ChannelsOptions.parse(List.of("--works", "skynet", "--alloc")).works())
        .containsExactly(ChannelWorkload.SKYNET);
  }

  @ParameterizedTest
  @CsvSource({
    "--fast, unknown argument '--fast'",
    "5, unknown argument '5'",
    "--procs, --procs needs a value",
    "--procs 3, --procs '3': allowed is a number from 1 to 2",
    "--rounds 0, --rounds '0': allowed is a number from 1 to 1000",
    "--rounds 1001, --rounds '1001'",
    "--rounds many, --rounds 'many'",
    "--works select;mutexes, --works 'mutexes'",
    "--works '', --works ''",
  })
  void wrongArgumentsAreNamed(String args, String message) {
    List<String> split = List.of(args.replace("''", "").replace(';', ',').split(" ", -1));
    assertThatThrownBy(() -> ChannelsOptions.parse(split))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
