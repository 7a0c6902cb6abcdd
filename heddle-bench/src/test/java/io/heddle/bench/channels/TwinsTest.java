package io.heddle.bench.channels;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every twin returns the right result: with small workloads, and, except Heddle's, on as many
 * threads as the machine has.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwinsTest {
  static Stream<Arguments> twins() {
    return Arrays.stream(ChannelWorkload.values())
        .flatMap(
            work ->
                work.peers().stream()
                    .sorted()
                    .flatMap(
                        peer -> Stream.of(1, 2).map(procs -> Arguments.of(work, peer, procs))));
  }

  @ParameterizedTest(name = "{0} {1}, procs {2}")
  @MethodSource("twins")
  void givesTheRightResult(ChannelWorkload work, Peer peer, int procs) throws Exception {
    try (Twin twin = peer.twin(procs)) {
      work.run(twin, 1_000);
    }
  }

  @Test
  void wrongResultIsAnError() {
    try (Twin twin = new BrokenTwin()) {
      for (ChannelWorkload work : ChannelWorkload.values()) {
        assertThatThrownBy(() -> work.run(twin, 1_000)).hasMessageContaining("got -7");
      }
    }
  }

  @Test
  void missingFlagsAreNamed() {
    assertThatThrownBy(() -> Peer.checkFlags(3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("procs 3 needs -D");
  }

  private static final class BrokenTwin implements Twin {
    @Override
    public long pingPong(int n) {
      return -7;
    }

    @Override
    public long buffered(int n) {
      return -7;
    }

    @Override
    public long mpmc(int n) {
      return -7;
    }

    @Override
    public long select(int n) {
      return -7;
    }

    @Override
    public long mutex(int n) {
      return -7;
    }

    @Override
    public long skynet(int leaves) {
      return -7;
    }

    @Override
    public void close() {}
  }
}
