package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PrimeSieveTest {
  @Test
  void findsTheFirstPrimes() throws Exception {
    List<String> primes =
        Stream.iterate(BigInteger.TWO, BigInteger::nextProbablePrime)
            .limit(200)
            .map(BigInteger::toString)
            .toList();
    List<String> lines = Example.of("PrimeSieve", "200").run().lines();
    assertThat(lines.subList(0, 200)).isEqualTo(primes);
    assertThat(lines.subList(200, lines.size())).containsExactly("200 primes, 202 goroutines");
  }

  @Test
  void findsTenByDefault() throws Exception {
    assertThat(Example.of("PrimeSieve").run().lines())
        .hasSize(11)
        .endsWith("29", "10 primes, 12 goroutines");
  }

  @Test
  void refusesAWrongArgument() throws Exception {
    Example.of("PrimeSieve", "ten")
        .run()
        .isRefused("How many primes? A number from 1 to 999, not: ten");
  }
}
