package io.heddle;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Scheduler#leaked} finds the goroutines that nothing can wake, and no others. */
@HangGuard
class LeakDetectionTest {
  private final Scheduler scheduler = Scheduler.builder().name("leaky").procs(2).build();
  private final Chan<String> held = Chan.make();

  /** Closing works only if the leaked goroutines are gone. */
  @AfterEach
  @HangGuard
  void close() {
    held.close();
    scheduler.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"receive", "send", "select", "nothing", "wait group", "mutex", "latch", "park"})
  void goroutineWaitingForUnreachableObjectIsFound(String how) {
    scheduler.go("lost", () -> waitFor(how));
    awaitWaiting(1);

    List<LeakedGoroutine> leaked = scheduler.leaked();

    assertThat(leaked).singleElement().satisfies(LeakDetectionTest::isLost);
    assertThat(leaked.getFirst().toString())
        .startsWith("goroutine 1 \"lost\" [")
        .contains("LeakDetectionTest.waitFor", "created by io.heddle.LeakDetectionTest");
    assertThat(scheduler.goroutines()).isZero();
    assertThat(scheduler.leaked()).isEmpty();
  }

  private static void isLost(LeakedGoroutine g) {
    assertThat(g.name()).isEqualTo("lost");
    assertThat(g.waitReason()).isNotEmpty();
  }

  @Test
  void goroutinesThatReferOnlyToEachOtherAreFound() {
    scheduler.go(
        () -> {
          Chan<String> ours = Chan.make();
          Chan<String> back = Chan.make();
          Go.go(
              () -> {
                ours.receive();
                back.send("never");
              });
          back.receive();
        });
    awaitWaiting(2);
    assertThat(scheduler.leaked()).hasSize(2);
  }

  @Test
  void goroutineThatCanStillBeWokenIsNotFound() throws Exception {
    Chan<String> results = Chan.make(1);
    scheduler.go(() -> results.send(held.receive()));
    Goroutine handle = scheduler.go(() -> Chan.make().receive());
    scheduler.go(() -> Go.sleep(Duration.ofHours(1))); // the timer can wake it
    awaitWaiting(3);

    assertThat(scheduler.leaked()).isEmpty();
    assertThat(scheduler.goroutines()).isEqualTo(3);
    held.send("still there");
    assertThat(results.receive()).isEqualTo("still there");
    handle.interrupt();
    handle.join();
    scheduler.shutdownNow();
  }

  @Tag("full")
  @Test
  void runningGoroutinesAreNotFound() throws Exception {
    Chan<Integer> there = Chan.make();
    Chan<Integer> back = Chan.make();
    Chan<Integer> last = Chan.make(1);
    scheduler.go(
        () -> {
          for (int n : there) {
            back.send(n + 1);
          }
          last.send(0);
        });
    Goroutine pinger =
        scheduler.go(
            () -> {
              for (int i = 0; i < 50_000; i++) {
                there.send(i);
                assertThat(back.receive()).isEqualTo(i + 1);
              }
              there.close();
            });
    while (pinger.state() != Goroutine.State.DEAD) {
      assertThat(scheduler.leaked()).isEmpty();
    }
    assertThat(last.receive()).isZero();
  }

  private void awaitWaiting(int count) {
    Await.until(() -> scheduler.goroutines() == count);
    Await.idle(scheduler);
  }

  private static void waitFor(String how) throws InterruptedException {
    switch (how) {
      case "receive" -> Chan.make().receive();
      case "send" -> Chan.<String>make().send("lost");
      case "select" -> select(recv(Chan.make()), recv(Chan.make()));
      case "nothing" -> select();
      case "wait group" -> waitForGroup();
      case "mutex" -> lockTwice();
      case "latch" -> new CountDownLatch(1).await();
      case "park" -> LockSupport.park(new Semaphore(0));
      default -> throw new IllegalArgumentException(how);
    }
  }

  private static void waitForGroup() throws InterruptedException {
    WaitGroup group = new WaitGroup();
    group.add(1);
    group.await();
  }

  private static void lockTwice() {
    Mutex mutex = new Mutex();
    mutex.lock();
    mutex.lock();
  }
}
