package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A sieve with a feedback loop: the primes found are fed back to produce the composites, which the
 * next primes are not.
 */
class Sieve2Test extends GoProgram {
  /** The odd multiples of a prime, and the smallest unused one. */
  private record Multiples(int least, Chan<Integer> rest) {
    Multiples next() throws InterruptedException {
      return new Multiples(rest.receive(), rest);
    }
  }

  @Test
  void primes() throws Exception {
    endlessProgram(
        () -> {
          Chan<Integer> primes = sieve();
          for (int prime : Primes.UNDER_100) {
            assertThat(primes.receive()).isEqualTo(prime);
          }
        });
  }

  private Chan<Integer> sieve() throws InterruptedException {
    Chan<Integer> out = Chan.make(10);
    Chan<Integer> found = Chan.make(10);
    Chan<Integer> composites = Chan.make(50);
    out.send(2);
    out.send(3);
    found.send(3);
    go(() -> merge(found, composites));
    go(() -> sift(composites, unbounded(found), out));
    return out;
  }

  /** All odd composites in order, some of them repeatedly. */
  private void merge(Chan<Integer> found, Chan<Integer> composites) throws InterruptedException {
    Queue<Multiples> all = new PriorityQueue<>(Comparator.comparingInt(Multiples::least));
    Multiples newest = multiplesOf(found.receive());
    while (true) {
      while (!all.isEmpty() && all.element().least() < newest.least()) {
        composites.send(all.element().least());
        all.add(all.remove().next());
      }
      composites.send(newest.least());
      all.add(newest.next());
      newest = multiplesOf(found.receive());
    }
  }

  /** Starts at its square, because smaller multiples have smaller prime factors. */
  private Multiples multiplesOf(int prime) throws InterruptedException {
    Chan<Integer> rest = Chan.make(10);
    go(() -> count(prime * prime, 2 * prime, rest));
    return new Multiples(rest.receive(), rest);
  }

  private void sift(Chan<Integer> composites, Chan<Integer> found, Chan<Integer> out)
      throws InterruptedException {
    Chan<Integer> candidates = Chan.make(50);
    go(() -> count(5, 2, candidates));
    int candidate = candidates.receive();
    for (int composite : composites) {
      for (; candidate < composite; candidate = candidates.receive()) {
        found.send(candidate);
        out.send(candidate);
      }
      if (candidate == composite) {
        candidate = candidates.receive();
      }
    }
  }

  private static void count(int from, int step, Chan<Integer> to) throws InterruptedException {
    for (int i : (Iterable<Integer>) IntStream.iterate(from, n -> n + step)::iterator) {
      to.send(i);
    }
  }

  /**
   * A path to {@code out} with unlimited capacity, because otherwise the loop would fill up and
   * stop.
   */
  private Chan<Integer> unbounded(Chan<Integer> out) {
    Chan<Integer> in = Chan.make(10);
    Queue<Integer> waiting = new ArrayDeque<>();
    go(
        () -> {
          while (true) {
            Case<Integer> taken = recv(in, waiting::add);
            Case<Integer> passedOn =
                waiting.isEmpty()
                    ? send(null, 0)
                    : send(out, waiting.element(), () -> waiting.remove());
            select(taken, passedOn);
          }
        });
    return in;
  }
}
