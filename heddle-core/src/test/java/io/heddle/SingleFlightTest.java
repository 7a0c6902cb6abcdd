package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class SingleFlightTest {
  private static final String REASON = "sync.WaitGroup.Wait";

  private final SingleFlight<String, Integer> flights = new SingleFlight<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Chan<Integer> answers = Chan.make();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void concurrentCallersShareOneCall(int procs) throws Exception {
    AtomicInteger sum = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      List<Goroutine> waiters =
          startCallers(scheduler, 100, () -> sum.addAndGet(flights.run("a", this::ask)));
      assertThat(flights.run("b", () -> 7)).as("another key").isEqualTo(7);
      answers.send(5);
      for (Goroutine g : waiters) {
        g.join();
      }
      assertThat(calls).hasValue(1);
      assertThat(sum).hasValue(100 * 5);
      assertThat(flights.run("a", () -> 9)).as("after the call ended").isEqualTo(9);
    }
  }

  @Test
  void concurrentCallersShareTheException() throws Exception {
    IOException expected = new IOException("expected");
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    try (Scheduler scheduler = OneP.scheduler()) {
      Callable<Integer> failing =
          () -> {
            ask();
            throw expected;
          };
      startCallers(
          scheduler,
          10,
          () -> {
            try {
              flights.run("a", failing);
            } catch (IOException e) {
              thrown.add(e);
            }
          });
      answers.send(1);
    }
    assertThat(thrown).hasSize(10).allMatch(t -> t == expected);
    assertThat(calls).hasValue(1);
    assertThat(flights.run("a", () -> 2)).isEqualTo(2);
  }

  @Test
  void callerAfterForgetMakesItsOwnCall() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      AtomicInteger sum = new AtomicInteger();
      List<Goroutine> waiters =
          startCallers(scheduler, 3, () -> sum.addAndGet(flights.run("a", this::ask)));
      flights.forget("a");
      assertThat(flights.run("a", () -> 7)).isEqualTo(7);
      answers.send(1);
      for (Goroutine g : waiters) {
        g.join();
      }
      assertThat(sum).hasValue(3);
    }
  }

  @Test
  void endOfForgottenCallDoesNotAffectTheNext() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      Chan<Integer> others = Chan.make();
      Goroutine first = scheduler.go(() -> flights.run("a", this::ask));
      Await.until(first::waitReason, "chan receive");
      flights.forget("a");
      Goroutine second = scheduler.go(() -> flights.run("a", others::receive));
      Await.until(second::waitReason, "chan receive");
      answers.send(1);
      first.join();
      Goroutine third = scheduler.go(() -> flights.run("a", this::ask));
      Await.until(third::waitReason, REASON);
      others.send(2);
      third.join();
      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void interruptEndsTheWaitOfOneCaller() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      AtomicInteger interrupted = new AtomicInteger();
      List<Goroutine> callers =
          startCallers(
              scheduler,
              3,
              () -> {
                try {
                  flights.run("a", this::ask);
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      callers.get(1).interrupt();
      callers.get(1).join();
      assertThat(interrupted).hasValue(1);
      assertThat(callers.get(2).waitReason()).isEqualTo(REASON);
      answers.send(1);
      callers.get(2).join();
      assertThat(interrupted).hasValue(1);
    }
  }

  @Test
  void misuseThrowsWithReason() throws Exception {
    assertThatThrownBy(() -> flights.run(null, () -> 1)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.run("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.forget(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> flights.run("a", () -> flights.run("a", () -> 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("from inside");
    assertThat(flights.run("a", () -> null)).isNull();
  }

  private Integer ask() throws InterruptedException {
    calls.incrementAndGet();
    return answers.receive();
  }

  /** Starts {@code n} callers: the first is in the call, the others wait for it. */
  private static List<Goroutine> startCallers(Scheduler scheduler, int n, Task task) {
    List<Goroutine> callers = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Goroutine g = scheduler.go(task);
      Await.until(g::waitReason, i == 0 ? "chan receive" : REASON);
      callers.add(g);
    }
    return callers;
  }
}
