package golang.chans;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;

import io.heddle.Case;
import io.heddle.Chan;

/**
 * An infinite series of coefficients, each computed on request: a channel of requests and a channel
 * of answers.
 */
record Series(Chan<Boolean> demand, Chan<Rational> data) {
  Series() {
    this(Chan.make(), Chan.make());
  }

  Rational get() throws InterruptedException {
    demand.send(true);
    return data.receive();
  }

  void put(Rational coefficient) throws InterruptedException {
    demand.receive();
    data.send(coefficient);
  }

  void putAll(Series from) throws InterruptedException {
    while (true) {
      demand.receive();
      data.send(from.get());
    }
  }

  /** Gets one coefficient of each series, in the order in which they are ready. */
  static Pair getBoth(Series a, Series b) throws InterruptedException {
    Asking fromA = new Asking(a);
    Asking fromB = new Asking(b);
    while (fromA.got == null || fromB.got == null) {
      select(fromA.nextStep(), fromB.nextStep());
    }
    return new Pair(fromA.got, fromB.got);
  }

  record Pair(Rational a, Rational b) {}

  private static final class Asking {
    private final Series series;
    private boolean asked;
    private Rational got;

    Asking(Series series) {
      this.series = series;
    }

    Case<?> nextStep() {
      if (!asked) {
        return send(series.demand, true, () -> asked = true);
      }
      return recv(got == null ? series.data : null, v -> got = v);
    }
  }
}
