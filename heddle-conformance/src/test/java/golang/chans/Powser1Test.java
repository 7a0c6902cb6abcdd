package golang.chans;

import static golang.chans.Rational.ONE;
import static golang.chans.Rational.ZERO;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoProgram;
import io.heddle.Case;
import io.heddle.Chan;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Power series as networks of goroutines, after Doug McIlroy. */
class Powser1Test extends GoProgram {
  private static final int TERMS = 10;

  @Test
  void ones() throws Exception {
    endlessProgram(() -> assertThat(first(all(1))).containsOnly(ONE));
  }

  @Test
  void sum() throws Exception {
    endlessProgram(() -> assertThat(first(sum(all(1), all(2)))).containsOnly(Rational.of(3)));
  }

  @Test
  void multiple() throws Exception {
    endlessProgram(
        () -> assertThat(first(multiple(Rational.of(-1), all(2)))).containsOnly(Rational.of(-2)));
  }

  @Test
  void difference() throws Exception {
    endlessProgram(
        () ->
            assertThat(first(sum(all(1), multiple(Rational.of(-1), all(2)))))
                .containsOnly(Rational.of(-1)));
  }

  @Test
  void derivative() throws Exception {
    endlessProgram(() -> assertThat(first(derivative(all(1)))).containsExactly(oneToTen()));
  }

  @Test
  void integral() throws Exception {
    Rational[] expected = integers(TERMS - 1).map(i -> Rational.of(1, i)).toArray(Rational[]::new);
    endlessProgram(
        () ->
            assertThat(first(integral(ZERO, all(1))))
                .startsWith(ZERO)
                .endsWith(expected)
                .hasSize(TERMS));
  }

  @Test
  void product() throws Exception {
    endlessProgram(() -> assertThat(first(product(all(1), all(1)))).containsExactly(oneToTen()));
  }

  /** Coefficients times n! count the partitions of n things into lists: 1, 1, 3, 13, 73, … */
  @Test
  void exponential() throws Exception {
    long[] lists = {1, 1, 3, 13, 73, 501, 4051, 37633, 394353, 4596553};
    Rational[] expected = new Rational[TERMS];
    long factorial = 1;
    for (int n = 0; n < TERMS; n++) {
      factorial *= Math.max(1, n);
      expected[n] = Rational.of(lists[n], factorial);
    }
    endlessProgram(() -> assertThat(first(exponential(all(1)))).containsExactly(expected));
  }

  @Test
  void arcTangent() throws Exception {
    Rational[] expected =
        IntStream.range(0, TERMS)
            .mapToObj(i -> i % 2 == 0 ? ZERO : Rational.of(i % 4 == 1 ? 1 : -1, i))
            .toArray(Rational[]::new);
    endlessProgram(
        () ->
            assertThat(first(integral(ZERO, ofPower(2, ONE.negated(), all(1)))))
                .containsExactly(expected));
  }

  private static Rational[] first(Series series) throws InterruptedException {
    Rational[] coefficients = new Rational[TERMS];
    for (int i = 0; i < TERMS; i++) {
      coefficients[i] = series.get();
    }
    return coefficients;
  }

  private static Rational[] oneToTen() {
    return integers(TERMS).map(Rational::of).toArray(Rational[]::new);
  }

  private static Stream<Integer> integers(int count) {
    return IntStream.rangeClosed(1, count).boxed();
  }

  /** A multiple of 1 / (1 - x). */
  private Series all(long coefficient) {
    Series z = new Series();
    go(
        () -> {
          while (true) {
            z.put(Rational.of(coefficient));
          }
        });
    return z;
  }

  private Series sum(Series u, Series v) {
    Series z = new Series();
    go(
        () -> {
          while (true) {
            z.demand().receive();
            Series.Pair both = Series.getBoth(u, v);
            z.data().send(both.a().plus(both.b()));
          }
        });
    return z;
  }

  private Series multiple(Rational c, Series u) {
    Series z = new Series();
    go(
        () -> {
          while (true) {
            z.demand().receive();
            z.data().send(c.times(u.get()));
          }
        });
    return z;
  }

  private Series derivative(Series u) {
    Series z = new Series();
    go(
        () -> {
          z.demand().receive();
          u.get();
          for (int i = 1; ; i++) {
            z.data().send(Rational.of(i).times(u.get()));
            z.demand().receive();
          }
        });
    return z;
  }

  private Series integral(Rational constant, Series u) {
    Series z = new Series();
    go(
        () -> {
          z.put(constant);
          for (int i = 1; ; i++) {
            z.demand().receive();
            z.data().send(Rational.of(1, i).times(u.get()));
          }
        });
    return z;
  }

  /** (u + xU) (v + xV) = uv + x(uV + vU) + xx UV. */
  private Series product(Series u, Series v) {
    Series z = new Series();
    go(
        () -> {
          z.demand().receive();
          Series.Pair heads = Series.getBoth(u, v);
          z.data().send(heads.a().times(heads.b()));
          Series[] tailsOfU = twice(u);
          Series[] tailsOfV = twice(v);
          Series crossed = sum(multiple(heads.a(), tailsOfV[0]), multiple(heads.b(), tailsOfU[0]));
          z.demand().receive();
          z.data().send(crossed.get());
          z.putAll(sum(crossed, product(tailsOfU[1], tailsOfV[1])));
        });
    return z;
  }

  /** E = exp(u) is the integral of E u', which is fed back; constants in u are ignored. */
  private Series exponential(Series u) throws InterruptedException {
    Series fedBack = new Series();
    Series z = new Series();
    split(integral(ONE, product(fedBack, derivative(u))), fedBack, z);
    return z;
  }

  /** u(c x^n). */
  private Series ofPower(int n, Rational c, Series u) {
    Series z = new Series();
    go(
        () -> {
          for (Rational power = ONE; ; power = power.times(c)) {
            z.demand().receive();
            z.data().send(u.get().times(power));
            for (int i = 1; i < n; i++) {
              z.put(ZERO);
            }
          }
        });
    return z;
  }

  private Series[] twice(Series u) throws InterruptedException {
    Series[] both = {new Series(), new Series()};
    split(u, both[0], both[1]);
    return both;
  }

  /** Copies a series for two readers, one of which may be far ahead of the other. */
  private void split(Series in, Series a, Series b) throws InterruptedException {
    Chan<Boolean> turn = Chan.make(1);
    turn.send(true);
    go(() -> serve(in, a, b, turn));
  }

  /**
   * Sends one coefficient to both readers; another goroutine sends the next one. Until that one's
   * turn, others still send earlier coefficients to the slower reader, and only the faster reader
   * can ask here.
   */
  private void serve(Series in, Series faster, Series slower, Chan<Boolean> turn)
      throws InterruptedException {
    Case<Boolean> myTurn = recv(turn);
    boolean mine = select(recv(faster.demand()), myTurn) == myTurn;
    Case<Boolean> other = recv(slower.demand());
    if (mine && select(recv(faster.demand()), other) == other) {
      bring(in, slower, faster, null);
    } else {
      bring(in, faster, slower, mine ? null : turn);
    }
  }

  private void bring(Series in, Series first, Series second, Chan<Boolean> turn)
      throws InterruptedException {
    Chan<Boolean> next = Chan.make();
    in.demand().send(true);
    go(() -> serve(in, first, second, next));
    Rational coefficient = in.data().receive();
    first.data().send(coefficient);
    if (turn != null) {
      turn.receive();
    }
    second.put(coefficient);
    next.send(true);
  }
}
