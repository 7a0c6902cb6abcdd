package io.heddle.stress.soak;

import static io.heddle.Select.after;
import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Values go through whichever of two channels is ready, or a timeout expires and they are offered
 * again. Each value arrives once.
 */
final class Selects implements Load {
  @Override
  public void step(Worker me) throws Exception {
    new Exchange(me).run();
  }

  @Override
  public Where where() {
    return Where.EVERYWHERE;
  }

  @Override
  public int workers() {
    return 2;
  }

  private static final class Exchange {
    private final Worker me;
    private final Chan<Integer> a;
    private final Chan<Integer> b;
    private final AtomicIntegerArray got;
    private final Duration patience;
    private final boolean polls;
    private final int each;

    Exchange(Worker me) {
      this.me = me;
      this.a = Chan.make(me.between(0, 1));
      this.b = Chan.make(me.between(0, 2));
      this.each = me.between(1, 100);
      this.got = new AtomicIntegerArray(each * 3);
      this.patience = Duration.ofNanos(me.between(0, 2_000_000));
      this.polls = me.oneIn(8);
    }

    void run() throws Exception {
      Crew producers = new Crew(me);
      Crew consumers = new Crew(me);
      for (int i = 0; i < 3; i++) {
        int first = i * each;
        producers.go(() -> produce(first));
      }
      for (int i = me.between(1, 3); i > 0; i--) {
        consumers.go(this::consume);
      }
      producers.await();
      a.close();
      b.close();
      consumers.await();
      Expect.once("value", got);
      me.did(got.length());
    }

    private void produce(int first) throws InterruptedException {
      for (int i = first; i < first + each; i++) {
        Case<?> toA = send(a, i);
        Case<?> toB = send(b, i);
        Case<?> late = after(patience);
        while (select(toA, toB, late) == late) {
          Go.gosched();
        }
      }
    }

    private void consume() throws InterruptedException {
      Case<Integer> fromA = recv(a);
      Case<Integer> fromB = recv(b);
      Case<?> other = polls ? orElse() : after(patience);
      while (fromA != null || fromB != null) {
        Case<?> fired = select(orNever(fromA), orNever(fromB), other);
        if (fired == other) {
          Go.gosched();
        } else if (fired.value() != null) {
          got.incrementAndGet((Integer) fired.value());
        } else if (fired == fromA) {
          fromA = null;
        } else {
          fromB = null;
        }
      }
    }

    private static Case<Integer> orNever(Case<Integer> one) {
      return one == null ? recv(null) : one;
    }
  }
}
