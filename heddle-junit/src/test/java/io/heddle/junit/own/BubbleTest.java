package io.heddle.junit.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.Bubble;
import io.heddle.BubbleException;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.DeadlockException;
import io.heddle.Go;
import io.heddle.Mutex;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a bubble promises, without the agent. */
class BubbleTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static Throwable failureOf(Task body) {
    return Bubble.of(1).run(body).failure();
  }

  private static void passes(Task body) {
    for (long seed = 1; seed <= 50; seed++) {
      assertThat(Bubble.of(seed).run(body).failure()).as("seed %d", seed).isNull();
    }
  }

  @Test
  void anHourTakesNoTimeAndIsExactlyAnHour() {
    long start = System.nanoTime();
    Bubble.Outcome outcome =
        Bubble.of(1)
            .run(
                () -> {
                  Instant before = Bubble.now();
                  assertThat(before).isEqualTo("2000-01-01T00:00:00Z");
                  Go.sleep(HOUR);
                  assertThat(Bubble.now()).isEqualTo(before.plus(HOUR));
                });
    assertThat(outcome.failure()).isNull();
    assertThat(outcome.elapsed()).isEqualTo(HOUR);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(HOUR);
  }

  @Test
  void overloadControlIsOffInABubble() {
    System.setProperty("heddle.overload", "1ms");
    try {
      passes(
          () -> {
            Scheduler scheduler = Scheduler.current();
            for (int i = 0; i < 5; i++) {
              assertThat(scheduler.tryAdmit()).isTrue();
              Go.sleep(HOUR);
            }
            assertThat(scheduler.overload().targetNanos()).isZero();
          });
    } finally {
      System.clearProperty("heddle.overload");
    }
  }

  @Test
  void timersTickersContextsAndTimedLocksGoByItsClock() {
    passes(
        () -> {
          assertThat(Timer.after(HOUR).receive()).isEqualTo(Bubble.now());
          try (Ticker ticker = new Ticker(Duration.ofSeconds(1))) {
            for (int i = 0; i < 10; i++) {
              ticker.ticks().receive();
            }
          }
          assertThat(Bubble.elapsed()).isEqualTo(HOUR.plusSeconds(10));
          try (Context.Cancelable context = Context.background().withTimeout(HOUR)) {
            context.done().receive();
          }
          assertThat(Bubble.elapsed()).isEqualTo(HOUR.plus(HOUR).plusSeconds(10));
          Mutex mutex = new Mutex();
          mutex.lock();
          assertThat(mutex.tryLock(50, TimeUnit.SECONDS)).isFalse();
          Select.select(Select.after(HOUR));
          assertThat(Bubble.elapsed()).isEqualTo(HOUR.multipliedBy(3).plusMinutes(1));
        });
  }

  @Test
  void settleWaitsForTheOthersAndNotForTime() {
    passes(
        () -> {
          List<Integer> done = new ArrayList<>();
          Chan<Integer> chan = Chan.make();
          for (int i = 0; i < 5; i++) {
            int n = i;
            Go.go(
                () -> {
                  chan.receive();
                  done.add(n);
                  Go.sleep(HOUR);
                  done.add(n);
                });
          }
          Bubble.settle();
          assertThat(done).isEmpty();
          chan.close();
          Bubble.settle();
          assertThat(done).hasSize(5);
          assertThat(Bubble.elapsed()).isZero();
          Go.sleep(HOUR);
          Bubble.settle();
          assertThat(done).hasSize(10);
        });
  }

  @Test
  void allBlockedIsADeadlockWithADump() {
    Throwable failure =
        failureOf(
            () -> {
              Chan<Integer> chan = Chan.make();
              Go.go("other", () -> chan.receive());
              chan.receive();
            });
    assertThat(failure).isInstanceOf(DeadlockException.class);
    assertThat(((DeadlockException) failure).dump())
        .contains("goroutine 1 \"main\" [chan receive]", "\"other\" [chan receive]");
  }

  @Test
  void aDeadlockOfMonitorsIsFoundAndOneOfTheJdksLatchesToo() {
    int deadlocks = 0;
    for (long seed = 1; seed <= 100; seed++) {
      Throwable failure = Bubble.of(seed).run(BubbleTest::twoMonitors).failure();
      if (failure != null) {
        assertThat(failure).isInstanceOf(DeadlockException.class);
        deadlocks++;
      }
    }
    assertThat(deadlocks).isBetween(1, 99);
    assertThat(failureOf(() -> new java.util.concurrent.CountDownLatch(1).await()))
        .isInstanceOf(DeadlockException.class);
  }

  private static void twoMonitors() throws Exception {
    Object a = new Object();
    Object b = new Object();
    Thread other = Thread.startVirtualThread(() -> lockBoth(b, a));
    lockBoth(a, b);
    other.join();
  }

  private static void lockBoth(Object first, Object second) {
    Bubble.point();
    synchronized (first) {
      Bubble.point();
      synchronized (second) {
        Bubble.point();
      }
    }
  }

  @Test
  void leftOverGoroutineIsAFailureUnlessThatIsAllowed() {
    Task body = () -> Go.go("lost", () -> Chan.make().receive());
    assertThat(failureOf(body))
        .isInstanceOf(BubbleException.class)
        .hasMessageContaining("1 goroutine waits")
        .hasMessageContaining("\"lost\" [chan receive]");
    assertThat(Bubble.of(1).leftovers(true).run(body).failure()).isNull();
  }

  @Test
  void anExceptionInAnyGoroutineIsAFailure() {
    Task body =
        () -> {
          Go.go(
              () -> {
                throw new IllegalStateException("in another");
              });
          Go.sleep(HOUR);
        };
    assertThat(failureOf(body)).hasMessage("in another");
    assertThat(
            failureOf(
                () -> {
                  Thread.startVirtualThread(
                      () -> {
                        throw new IllegalStateException("in a plain one");
                      });
                  Go.sleep(HOUR);
                }))
        .hasMessage("in a plain one");
  }

  @Test
  void noEndIsAFailure() {
    Task body =
        () -> {
          while (true) {
            Thread.yield();
          }
        };
    assertThat(Bubble.of(1).maxSteps(1_000).run(body).failure())
        .hasMessageContaining("no end after 1000 steps");
  }

  @Test
  void threadsOutsideAreCounted() {
    Bubble.Outcome outcome = Bubble.of(1).run(BubbleTest::isWokenFromOutside);
    assertThat(outcome.failure()).isNull();
    assertThat(outcome.outside()).isPositive();
    assertThat(Bubble.of(1).run(() -> Go.sleep(HOUR)).outside()).isZero();
  }

  private static void isWokenFromOutside() throws Exception {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    Thread me = Thread.currentThread();
    Thread outside =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (me.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait();
                  }
                  answer.complete(7);
                });
    assertThat(answer.get()).isEqualTo(7);
    outside.join();
  }

  @Test
  void outsideOfABubbleItsCallsSaySo() {
    assertThatIllegalStateException().isThrownBy(Bubble::settle).withMessageContaining("settle");
    assertThatIllegalStateException()
        .isThrownBy(Bubble::now)
        .withMessageContaining("not a goroutine");
    Bubble.point(); // does nothing
    assertThat(failureOf(() -> Bubble.of(2).run(() -> {})))
        .hasMessage("a bubble cannot run in another");
  }
}
