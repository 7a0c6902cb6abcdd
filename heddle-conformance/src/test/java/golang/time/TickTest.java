package golang.time;

import static io.heddle.Select.after;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import golang.GoTest;
import golang.Until;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Receiver;
import io.heddle.Ticker;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Go's {@code time/tick_test.go}. */
class TickTest extends GoTest {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /** No tick before its time, and none after the stop. */
  @Test
  void ticker() throws Exception {
    run(
        () -> {
          int n = 5;
          Duration d = Duration.ofMillis(2);
          long start = System.nanoTime();
          Ticker ticker = new Ticker(d);
          receive(ticker.ticks(), n);
          ticker.reset(d.multipliedBy(2));
          receive(ticker.ticks(), n);
          assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(3 * n * d.toNanos());
          ticker.close();
          Go.sleep(d.multipliedBy(4));
          assertThat(ticker.ticks().tryReceive()).isNull();
        });
  }

  @Test
  void teardown() throws Exception {
    run(
        () -> {
          for (int i = 0; i < 3; i++) {
            Ticker ticker = new Ticker(Duration.ofMillis(2));
            assertThat(ticker.ticks().receive()).isNotNull();
            ticker.close();
          }
        });
  }

  @Test
  void newTickerLtZeroDuration() throws Exception {
    run(
        () -> {
          assertThatIllegalArgumentException().isThrownBy(() -> new Ticker(NANO.negated()));
          assertThatIllegalArgumentException().isThrownBy(() -> new Ticker(Duration.ZERO));
        });
  }

  @Test
  void tickerResetLtZeroDuration() throws Exception {
    run(
        () -> {
          try (Ticker ticker = new Ticker(HOUR)) {
            assertThatIllegalArgumentException().isThrownBy(() -> ticker.reset(Duration.ZERO));
          }
        });
  }

  /** A queue whose every receive has a timer, beside many sleeping timers. */
  @Test
  void longAdjustTimers() throws Exception {
    run(
        () -> {
          WaitGroup sleepers = new WaitGroup();
          for (int i = 0; i < 300; i++) {
            sleepers.go(() -> Go.sleep(Duration.ofNanos(10_000)));
          }
          Chan<Integer> in = Chan.make();
          Chan<Integer> out = Chan.make();
          Go.go(() -> queue(in, out));
          for (int i = 0; i < 100; i++) {
            roundTrip(in, out, 20);
          }
          in.close();
          assertThat(out.receive()).isNull();
          sleepers.await();
        });
  }

  /** Most of the stopped timers are forgotten; the others are kept until they fire. */
  @Test
  void timerGC() throws Exception {
    run(
        () -> {
          forgets(TickTest::ofStoppedTimer);
          forgets(TickTest::ofClosedTicker);
          WeakReference<?> channel = new WeakReference<>(Timer.after(HOUR));
          System.gc();
          assertThat(channel.refersTo(null)).isFalse();
        });
  }

  @Test
  void chan() throws Exception {
    run(
        () -> {
          Timer timer = new Timer(HOUR);
          resets(timer.fired(), d -> timer.reset(d), () -> timer.stop());
          nothingOldIsReceived(timer);

          Ticker ticker = new Ticker(HOUR);
          resets(ticker.ticks(), ticker::reset, ticker::close);
          nothingOldIsReceived(ticker);
        });
  }

  /** A late receive gets the time of the tick, not of the receive. */
  @Test
  void afterTimes() throws Exception {
    run(() -> assertThat(isOnceBeforeIsReceived(d -> Timer.after(d))).isTrue());
  }

  @Test
  void tickTimes() throws Exception {
    run(() -> assertThat(isOnceBeforeIsReceived(d -> new Ticker(d).ticks())).isTrue());
  }

  private static void receive(Receiver<Instant> ticks, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      assertThat(ticks.receive()).isNotNull();
    }
  }

  private static void queue(Chan<Integer> in, Chan<Integer> out) throws InterruptedException {
    Queue<Integer> waiting = new ArrayDeque<>();
    Case<Integer> taken = recv(in);
    for (; ; ) {
      Integer first = waiting.peek();
      Case<?> fired = first == null ? select(taken) : select(taken, send(out, first));
      if (fired != taken) {
        waiting.remove();
      } else if (taken.value() == null) {
        out.close();
        return;
      } else {
        waiting.add(taken.value());
      }
    }
  }

  private static void roundTrip(Chan<Integer> in, Chan<Integer> out, int n)
      throws InterruptedException {
    for (int i = 0; i < n; i++) {
      in.send(i);
    }
    for (int i = 0; i < n; i++) {
      Case<Integer> got = recv(out);
      assertThat(select(got, after(HOUR))).isSameAs(got);
      assertThat(got.value()).isEqualTo(i);
    }
  }

  private static void forgets(Supplier<WeakReference<?>> make) {
    List<? extends WeakReference<?>> all = Stream.generate(make).limit(200).toList();
    Until.until(
        () -> {
          System.gc();
          return all.stream().filter(each -> each.refersTo(null)).count() > 100;
        });
  }

  /** The channel of a timer, which its heap refers to. */
  private static WeakReference<?> ofStoppedTimer() {
    Timer timer = new Timer(HOUR);
    assertThat(timer.stop()).isTrue();
    return new WeakReference<>(timer.fired());
  }

  private static WeakReference<?> ofClosedTicker() {
    Ticker ticker = new Ticker(HOUR);
    ticker.close();
    return new WeakReference<>(ticker.ticks());
  }

  private interface Reset {
    void to(Duration d);
  }

  /** With no waiter, one waiter, and two waiters. */
  private static void resets(Receiver<Instant> c, Reset reset, Runnable stop)
      throws InterruptedException {
    stop.run();
    assertThat(c.tryReceive()).isNull();
    reset.to(HOUR);
    assertThat(c.tryReceive()).isNull();
    reset.to(NANO);
    assertThat(c.receive()).isNotNull();

    reset.to(HOUR);
    Chan<Boolean> done = Chan.make(2);
    Goroutine one = receiver(c, done);
    Until.asleep(one, "chan receive");
    reset.to(HOUR.multipliedBy(2));
    Until.othersHaveRun();
    assertThat(done.length()).isZero();
    reset.to(NANO);
    assertThat(done.receive()).isTrue();
    stop.run();
    assertThat(c.tryReceive()).isNull();

    twoWait(c, reset, stop);
    noneGets(c, stop);
  }

  private static Goroutine receiver(Receiver<Instant> c, Chan<Boolean> done) {
    return Go.go(
        () -> {
          c.receive();
          done.send(true);
        });
  }

  /** One of them gets the first value. */
  private static void twoWait(Receiver<Instant> c, Reset reset, Runnable stop)
      throws InterruptedException {
    reset.to(HOUR);
    Chan<Void> end = Chan.make();
    Chan<Boolean> got = Chan.make(2);
    List<Goroutine> both = selecting(c, end, got);
    assertThat(got.length()).isZero();
    reset.to(NANO);
    assertThat(got.receive()).isTrue();
    stop.run();
    end.close();
    for (Goroutine each : both) {
      each.join();
    }
    assertThat(c.tryReceive()).isNull();
  }

  /** The stopped timer. */
  private static void noneGets(Receiver<Instant> c, Runnable stop) throws InterruptedException {
    stop.run();
    Chan<Void> end = Chan.make();
    Chan<Boolean> got = Chan.make(2);
    List<Goroutine> both = selecting(c, end, got);
    Until.othersHaveRun();
    end.close();
    for (Goroutine each : both) {
      each.join();
    }
    assertThat(got.length()).isZero();
  }

  private static List<Goroutine> selecting(Receiver<Instant> c, Chan<Void> end, Chan<Boolean> got) {
    List<Goroutine> both = new ArrayList<>();
    IntStream.range(0, 2)
        .forEach(_ -> both.add(Go.go(() -> select(recv(c, _ -> got.send(true)), recv(end)))));
    both.forEach(each -> Until.asleep(each, "select"));
    return both;
  }

  /** Both results are exact, although the timer has fired. */
  private static void nothingOldIsReceived(Timer timer) throws InterruptedException {
    timer.reset(NANO);
    Go.sleep(Duration.ofMillis(1));
    assertThat(timer.stop()).isTrue();
    assertThat(timer.fired().tryReceive()).isNull();
    assertThat(timer.stop()).isFalse();

    assertThat(timer.reset(HOUR)).isFalse();
    assertThat(timer.reset(NANO)).isTrue();
    assertThat(timer.fired().receive()).isNotNull();
    Until.othersHaveRun();
    assertThat(timer.fired().tryReceive()).isNull();
    assertThat(timer.reset(HOUR)).isFalse();
    assertThat(timer.stop()).isTrue();
  }

  private static void nothingOldIsReceived(Ticker ticker) throws InterruptedException {
    ticker.reset(NANO);
    Go.sleep(Duration.ofMillis(1));
    ticker.close();
    assertThat(ticker.ticks().tryReceive()).isNull();

    ticker.reset(NANO);
    receive(ticker.ticks(), 3);
    ticker.reset(HOUR);
    assertThat(ticker.ticks().tryReceive()).isNull();
    ticker.close();
  }

  /** Tries again if the machine was too busy to fire it in time. */
  private static boolean isOnceBeforeIsReceived(Function<Duration, Receiver<Instant>> make)
      throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      Receiver<Instant> c = make.apply(Duration.ofMillis(1));
      Go.sleep(Duration.ofMillis(20));
      Instant before = Instant.now();
      if (c.receive().isBefore(before)) {
        return true;
      }
    }
    return false;
  }
}
