package io.heddle.stress.soak;

import io.heddle.Go;
import io.heddle.Ticker;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** Sleeps, timers and tickers: never early, each once, and not at all if stopped in time. */
final class Timings implements Load {
  @Override
  public void step(Worker me) throws Exception {
    switch (me.between(0, 4)) {
      case 0 -> sleepers(me);
      case 1 -> scheduled(me);
      case 2 -> stopped(me);
      case 3 -> ticks(me);
      default -> after(me);
    }
  }

  @Override
  public int workers() {
    return 2;
  }

  private static void sleepers(Worker me) throws Exception {
    Crew crew = new Crew(me);
    for (int i = me.between(1, 200); i > 0; i--) {
      long nanos = me.between(0, 5_000_000);
      boolean plain = me.oneIn(3);
      crew.go(() -> sleep(me, nanos, plain));
    }
    crew.await();
    me.did(crew.members().size());
  }

  private static void sleep(Worker me, long nanos, boolean plain) throws InterruptedException {
    long start = System.nanoTime();
    if (plain) {
      Thread.sleep(Duration.ofNanos(nanos));
    } else {
      Go.sleep(Duration.ofNanos(nanos));
    }
    late(me, System.nanoTime() - start - nanos);
  }

  private static void late(Worker me, long nanos) {
    Expect.that(nanos >= 0, "a timer was early by " + -nanos + " ns");
    me.world.tally.waited(Tally.Wait.TIMER, nanos);
  }

  /** Some timers are stopped at a random time: those stopped in time do not run, the others do. */
  private static void scheduled(Worker me) throws Exception {
    int n = me.between(1, 50);
    for (int i = 0; i < n; i++) {
      AtomicInteger runs = new AtomicInteger();
      WaitGroup ran = new WaitGroup();
      ran.add(1);
      long nanos = me.between(0, 1_000_000);
      long start = System.nanoTime();
      Timer timer =
          Timer.schedule(
              Duration.ofNanos(nanos),
              () -> {
                long now = System.nanoTime();
                if (runs.incrementAndGet() == 1) {
                  ran.done();
                }
                late(me, now - start - nanos);
              });
      boolean stopped = false;
      if (me.oneIn(2)) {
        Go.sleep(Duration.ofNanos(me.between(0, 1_000_000)));
        stopped = timer.stop();
      }
      if (stopped) {
        Go.sleep(Duration.ofNanos(nanos));
      } else {
        ran.await();
      }
      Expect.same(stopped ? "runs of a stopped timer" : "runs", runs.get(), stopped ? 0 : 1);
    }
    me.did(n);
  }

  private static void stopped(Worker me) throws Exception {
    Timer timer = new Timer(Duration.ofHours(1));
    int n = me.between(1, 50);
    for (int i = 0; i < n; i++) {
      long nanos = me.between(0, 500_000);
      long start = System.nanoTime();
      timer.reset(Duration.ofNanos(nanos));
      if (me.oneIn(2)) {
        Go.sleep(Duration.ofNanos(me.between(0, 500_000)));
        timer.stop();
        Expect.that(timer.fired().tryReceive() == null, "a stopped timer has a value");
      } else {
        Expect.that(timer.fired().receive() != null, "the channel of a timer is closed");
        late(me, System.nanoTime() - start - nanos);
      }
    }
    timer.stop();
    me.did(n);
  }

  private static void ticks(Worker me) throws Exception {
    int n = me.between(1, 10);
    try (Ticker ticker = new Ticker(Duration.ofNanos(me.between(100_000, 3_000_000)))) {
      Instant last = Instant.MIN;
      for (int i = 0; i < n; i++) {
        Instant tick = ticker.ticks().receive();
        Expect.that(!tick.isBefore(last), "a tick at " + tick + " after one at " + last);
        last = tick;
      }
    }
    me.did(n);
  }

  private static void after(Worker me) throws Exception {
    long nanos = me.between(0, 3_000_000);
    long start = System.nanoTime();
    Expect.that(Timer.after(Duration.ofNanos(nanos)).receive() != null, "closed");
    late(me, System.nanoTime() - start - nanos);
    me.did(1);
  }
}
