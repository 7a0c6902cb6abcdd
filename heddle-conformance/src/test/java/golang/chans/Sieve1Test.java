package golang.chans;

import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Chan;
import org.junit.jupiter.api.Test;

class Sieve1Test extends GoProgram {
  /** A growing chain of goroutines, each of which removes the multiples of one prime. */
  @Test
  void primes() throws Exception {
    endlessProgram(
        () -> {
          Chan<Integer> primes = Chan.make();
          go(() -> sieve(primes));
          for (int prime : Primes.UNDER_100) {
            assertThat(primes.receive()).isEqualTo(prime);
          }
        });
  }

  private void sieve(Chan<Integer> primes) throws InterruptedException {
    Chan<Integer> numbers = Chan.make();
    go(() -> count(numbers));
    Chan<Integer> rest = numbers;
    while (true) {
      int prime = rest.receive();
      primes.send(prime);
      rest = without(prime, rest);
    }
  }

  private static void count(Chan<Integer> numbers) throws InterruptedException {
    for (int i = 2; ; i++) {
      numbers.send(i);
    }
  }

  private Chan<Integer> without(int prime, Chan<Integer> in) {
    Chan<Integer> out = Chan.make();
    go(
        () -> {
          for (int i : in) {
            if (i % prime != 0) {
              out.send(i);
            }
          }
        });
    return out;
  }
}
