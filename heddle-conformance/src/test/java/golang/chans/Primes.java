package golang.chans;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

/** The primes that both sieves must find. */
final class Primes {
  static final List<Integer> UNDER_100 =
      Stream.iterate(BigInteger.TWO, BigInteger::nextProbablePrime)
          .map(BigInteger::intValue)
          .takeWhile(prime -> prime < 100)
          .toList();

  private Primes() {}
}
