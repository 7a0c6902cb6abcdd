package golang.time;

import static io.heddle.Select.orElse;
import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import golang.GoTest;
import golang.Until;
import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Group;
import io.heddle.Receiver;
import io.heddle.Select;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.Timer;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Go's {@code time/sleep_test.go}. The file is long because it has the tests of one file of Go.
 */
class SleepTest extends GoTest {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LARGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
  private static final Duration SMALLEST = Duration.ofSeconds(Long.MIN_VALUE);

  @Test
  void sleep() throws Exception {
    run(
        () -> {
          Go.go(() -> Go.sleep(Duration.ofMillis(5)));
          long start = System.nanoTime();
          Go.sleep(Duration.ofMillis(10));
          assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(10));
        });
  }

  /** Each runs in its own goroutine: all wait for the last one. */
  @Test
  void afterFunc() throws Exception {
    run(
        () -> {
          Chan<Void> last = Chan.make();
          chain(10, last);
          assertThat(last.receive()).isNull();
        });
  }

  @Test
  void tickerStress() throws Exception {
    run(
        () -> {
          AtomicBoolean stop = new AtomicBoolean();
          Go.go(() -> collectGarbageUntil(stop));
          try (Ticker ticker = new Ticker(NANO)) {
            receive(ticker.ticks(), 20);
          }
          stop.set(true);
        });
  }

  @Test
  void tickerConcurrentStress() throws Exception {
    run(
        () -> {
          AtomicBoolean stop = new AtomicBoolean();
          Go.go(() -> collectGarbageUntil(stop));
          try (Ticker ticker = new Ticker(NANO)) {
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < 5; i++) {
              all.go(() -> receive(ticker.ticks(), 5));
            }
            all.await();
          }
          stop.set(true);
        });
  }

  /** Two goroutines that keep each other runnable do not starve a timer. */
  @Test
  void afterFuncStarvation() throws Exception {
    run(
        () -> {
          AtomicBoolean stop = new AtomicBoolean();
          Chan<Boolean> c = Chan.make(1);
          Go.go(
              () -> {
                while (!stop.get()) {
                  c.send(true);
                }
                c.close();
              });
          Timer.schedule(Duration.ofNanos(1000), () -> stop.set(true));
          for (Boolean each : c) {
            assertThat(each).isTrue();
          }
          assertThat(stop).isTrue();
        });
  }

  @Test
  void after() throws Exception {
    run(
        () -> {
          Duration d = Duration.ofMillis(10);
          Instant first = Instant.now();
          long start = System.nanoTime();
          Instant fired = Timer.after(d).receive();
          assertThat(since(start)).isGreaterThanOrEqualTo(d);
          assertThat(fired).isAfterOrEqualTo(first.plus(d).minus(MILLI)); // the clocks differ
        });
  }

  @Test
  void afterTick() throws Exception {
    run(
        () -> {
          int n = 10;
          Duration d = Duration.ofMillis(2);
          long start = System.nanoTime();
          for (int i = 0; i < n; i++) {
            Timer.after(d).receive();
          }
          assertThat(since(start)).isGreaterThanOrEqualTo(d.multipliedBy(n));
        });
  }

  /** A stopped timer sends and runs nothing, and can be stopped only once. */
  @Test
  void afterStop() throws Exception {
    run(
        () -> {
          Duration soon = Duration.ofMillis(5);
          AtomicInteger ran = new AtomicInteger();
          Timer sends = new Timer(soon);
          Timer runs = Timer.schedule(soon, ran::incrementAndGet);
          assertThat(sends.stop()).isTrue();
          boolean stopped = runs.stop();
          Timer.after(soon.multipliedBy(3)).receive();
          assertThat(sends.fired().tryReceive()).isNull();
          assertThat(sends.stop()).isFalse();
          assertThat(runs.stop()).isFalse();
          until(ran, stopped ? 0 : 1);
        });
  }

  /**
   * Timers fire in the order of their times; a machine that is too busy for that gets more time.
   */
  @Test
  void afterQueuing() throws Exception {
    run(
        () -> {
          List<Integer> order = List.of();
          for (int millis = 2; millis < 200 && !isSorted(order); millis *= 3) {
            order = queue(Duration.ofMillis(millis));
          }
          assertThat(order).hasSize(13).isSorted();
        });
  }

  /** A stop and a concurrent firing: exactly one of them comes first. */
  @Test
  void timerStopStress() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger notStopped = new AtomicInteger();
    run(
        () -> {
          WaitGroup all = new WaitGroup();
          for (int i = 0; i < 100; i++) {
            all.go(
                () -> {
                  Timer timer = Timer.schedule(MILLI, ran::incrementAndGet);
                  Go.sleep(MILLI);
                  notStopped.addAndGet(timer.stop() ? 0 : 1);
                });
          }
          all.await();
          Go.sleep(Duration.ofMillis(5));
        });
    assertThat(ran).hasValue(notStopped.get());
  }

  @Test
  void sleepZeroDeadlock() throws Exception {
    run(
        () -> {
          Chan<Boolean> collected = Chan.make();
          Go.go(
              () -> {
                for (int i = 0; i < 5; i++) {
                  System.gc();
                }
                collected.send(true);
              });
          for (int i = 0; i < 100; i++) {
            Go.sleep(Duration.ZERO);
            Chan<Boolean> c = Chan.make(1);
            c.send(true);
            assertThat(c.receive()).isTrue();
          }
          assertThat(collected.receive()).isTrue();
        });
  }

  @Test
  void reset() throws Exception {
    run(
        () -> {
          Timer timer = new Timer(Duration.ofMillis(2));
          assertThat(timer.reset(HOUR)).isTrue();
          Go.sleep(Duration.ofMillis(6));
          assertThat(timer.fired().tryReceive()).isNull();

          long start = System.nanoTime();
          assertThat(timer.reset(Duration.ofMillis(3))).isTrue();
          assertThat(timer.fired().receive()).isNotNull();
          assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(3));
          assertThat(timer.reset(HOUR)).isFalse();
          assertThat(timer.stop()).isTrue();
        });
  }

  @Test
  void overflowSleep() throws Exception {
    run(
        () -> {
          Chan<String> ended = Chan.make(1);
          Goroutine sleeper = Go.go(() -> ended.send(sleepForEver()));
          for (Duration large : List.of(LARGEST, Duration.ofNanos(Long.MAX_VALUE))) {
            Chan<String> first = Chan.make(1);
            select(
                recv(Timer.after(large), _ -> first.send("large")),
                recv(Timer.after(Duration.ofMillis(10)), _ -> first.send("small")));
            assertThat(first.receive()).isEqualTo("small");
          }
          assertThat(ended.length()).isZero();
          sleeper.interrupt();
          assertThat(ended.receive()).isEqualTo("interrupted");

          Go.sleep(SMALLEST);
          assertThat(Timer.after(SMALLEST).receive()).isNotNull();
        });
  }

  /** A ticker with the largest period never ticks, and does not disturb others. */
  @Test
  void overflowPeriodRuntimeTimer() throws Exception {
    run(
        () -> {
          try (Ticker ticker = new Ticker(NANO)) {
            receive(ticker.ticks(), 1);
            ticker.reset(LARGEST);
            assertThat(Timer.after(Duration.ofMillis(5)).receive()).isNotNull();
            assertThat(ticker.ticks().tryReceive()).isNull();
          }
        });
  }

  @Test
  void zeroTimer() throws Exception {
    run(
        () -> {
          FuncTimer again = new FuncTimer(HOUR);
          for (int i = 0; i < 300; i++) {
            assertThat(new Timer(Duration.ZERO).fired().receive()).isNotNull();
            assertThat(new FuncTimer(Duration.ZERO).fired.receive()).isNotNull();
            again.timer.reset(Duration.ZERO);
            assertThat(again.fired.receive()).isNotNull();
          }
        });
  }

  @Test
  void timerModifiedEarlier() throws Exception {
    run(
        () -> {
          Duration past = Duration.between(Instant.now(), Instant.EPOCH);
          for (int i = 0; i < 100; i++) {
            FuncTimer each = new FuncTimer(HOUR);
            for (int j = 0; j < 10; j++) {
              each.stopOrReceive();
              assertThat(each.timer.reset(past)).isFalse();
            }
            assertThat(each.fired.receive()).isNotNull();
          }
        });
  }

  /** Many timers, each of which goes through the same steps in a random order. */
  @Test
  void adjustTimers() throws Exception {
    long seed = new Random().nextLong();
    run(
        () -> {
          Random random = new Random(seed);
          List<Steps> all = new ArrayList<>();
          IntStream.range(0, 100).forEach(_ -> all.add(new Steps()));
          while (!all.isEmpty()) {
            int i = random.nextInt(all.size());
            if (all.get(i).isLast("seed " + seed)) {
              all.remove(i);
            }
          }
        });
  }

  @Test
  void stopResult() throws Exception {
    run(() -> inParallel(30, () -> ofTwoTheOther(Timer::stop)));
  }

  @Test
  void resetResult() throws Exception {
    run(() -> inParallel(30, () -> ofTwoTheOther(timer -> timer.reset(HOUR))));
  }

  /** Several wait for the same ticker. */
  @Test
  void multiWakeupTicker() throws Exception {
    run(
        () -> {
          try (Ticker ticker = new Ticker(Duration.ofNanos(1000))) {
            inParallel(
                Go.procs() + 1,
                () -> {
                  for (int i = 0; i < 200; i++) {
                    select(recv(ticker.ticks()), Select.after(MILLI));
                  }
                });
          }
        });
  }

  /** Several receive from one timer and set it at the same time; it works afterwards. */
  @Test
  void multiWakeupTimer() throws Exception {
    run(
        () -> {
          Timer timer = new Timer(NANO);
          inParallel(
              Go.procs() + 1,
              () -> {
                for (int i = 0; i < 1000; i++) {
                  select(recv(timer.fired()), orElse());
                  timer.reset(NANO);
                }
              });
          timer.reset(NANO);
          assertThat(timer.fired().receive()).isNotNull();
          assertThat(timer.stop()).isFalse();
        });
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void chain(int more, Chan<Void> last) {
    Timer.schedule(
        Duration.ZERO,
        () -> {
          if (more == 0) {
            last.close();
            return;
          }
          chain(more - 1, last);
          last.forEach(_ -> {});
        });
  }

  private static void collectGarbageUntil(AtomicBoolean stop) throws InterruptedException {
    while (!stop.get()) {
      System.gc();
      Go.sleep(NANO);
    }
  }

  private static void receive(Receiver<Instant> ticks, int n) throws InterruptedException {
    for (int i = 0; i < n; i++) {
      ticks.receive();
    }
  }

  private static void until(AtomicInteger counter, int expected) {
    Until.othersHaveRun();
    Until.until(() -> counter.get() >= expected);
    assertThat(counter).hasValue(expected);
  }

  private static boolean isSorted(List<Integer> order) {
    return !order.isEmpty() && order.equals(order.stream().sorted().toList());
  }

  /** The order in which timers with multiples of {@code step} are seen. */
  private static List<Integer> queue(Duration step) throws InterruptedException {
    List<Integer> slots = List.of(5, 3, 6, 6, 6, 1, 1, 2, 7, 9, 4, 8, 0);
    Chan<Integer> seen = Chan.make(slots.size());
    long start = System.nanoTime();
    for (int slot : slots) {
      Receiver<Instant> fired = Timer.after(step.multipliedBy(slot));
      Go.go(
          () -> {
            fired.receive();
            seen.send(slot);
          });
    }
    List<Integer> order = new ArrayList<>();
    while (order.size() < slots.size()) {
      int slot = seen.receive();
      assertThat(since(start)).isGreaterThanOrEqualTo(step.multipliedBy(slot));
      order.add(slot);
    }
    return order;
  }

  private static String sleepForEver() {
    try {
      Go.sleep(LARGEST);
      return "slept";
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }

  private static void inParallel(int n, Task task) throws Exception {
    Group all = new Group();
    for (int i = 0; i < n; i++) {
      all.go(task);
    }
    all.await();
  }

  private interface Ending {
    boolean end(Timer timer);
  }

  /**
   * The timer that is not received from was still pending or unreceived; after the stop it is not.
   */
  private static void ofTwoTheOther(Ending ending) throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      Timer one = new Timer(MILLI);
      Timer two = new Timer(MILLI);
      Case<Instant> ofOne = recv(one.fired());
      Timer other = select(ofOne, recv(two.fired())) == ofOne ? two : one;
      assertThat(ending.end(other)).isTrue();
      assertThat(other.fired().tryReceive()).isNull();
    }
  }

  /** A timer with a function: it sends the time to a channel of the test. */
  private static final class FuncTimer {
    private final Chan<Instant> fired = Chan.make(1);
    private final Timer timer;

    FuncTimer(Duration d) {
      timer = Timer.schedule(d, () -> fired.trySend(Instant.now()));
    }

    void stopOrReceive() throws InterruptedException {
      if (!timer.stop()) {
        fired.receive();
      }
    }
  }

  /** The steps of one timer. */
  private static final class Steps {
    private final FuncTimer timer = new FuncTimer(Duration.ZERO);
    private int step;

    boolean isLast(String seed) throws InterruptedException {
      step++;
      switch (step) {
        case 1, 9 -> assertThat(timer.fired.receive()).isNotNull();
        case 2 -> assertThat(timer.timer.reset(Duration.ofMinutes(1))).as(seed).isFalse();
        case 4 -> assertThat(timer.timer.reset(Duration.ofMinutes(3))).as(seed).isFalse();
        case 6 -> assertThat(timer.timer.reset(Duration.ofMinutes(2))).as(seed).isFalse();
        case 3, 5, 7 -> timer.stopOrReceive();
        default -> assertThat(timer.timer.reset(Duration.ZERO)).as(seed).isFalse();
      }
      return step == 9;
    }
  }
}
