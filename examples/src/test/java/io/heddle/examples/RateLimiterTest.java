package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateLimiterTest {
  private static final int BURST = 3;

  @Test
  void servesAllRequestsAndNoneEarly() throws Exception {
    List<String> lines = Example.of("RateLimiter", "100").run().lines();
    assertThat(lines).hasSize(13).endsWith("12 requests served, 0 of them early");
    List<String> served = lines.subList(0, 12);
    for (int n = 1; n <= served.size(); n++) {
      assertThat(millis(served.get(n - 1))).isGreaterThanOrEqualTo((n - BURST) * 10L);
    }
    assertThat(served.stream().map(line -> line.replaceFirst(".* ms +", "")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of("red", "green", "blue").flatMap(RateLimiterTest::requests).toList());
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("RateLimiter", "0.5")
        .run()
        .isRefused("How many per second? A number from 1 to 999, not: 0.5");
  }

  private static Stream<String> requests(String client) {
    return IntStream.rangeClosed(1, 4).mapToObj(i -> client + " " + i);
  }

  private static long millis(String line) {
    return Long.parseLong(line.strip().split(" ")[0]);
  }
}
