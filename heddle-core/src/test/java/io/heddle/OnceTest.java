package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class OnceTest {
  private final Once once = new Once();
  private final AtomicInteger runs = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void firstCallerRunsTheTaskAndOthersWait(int procs) throws Exception {
    AtomicInteger after = new AtomicInteger();
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < 100; i++) {
        scheduler.go(
            () -> {
              once.run(this::slowly);
              after.addAndGet(runs.get());
            });
      }
      once.run(this::slowly);
      assertThat(runs).hasValue(1);
    }
    assertThat(after).as("each saw it done").hasValue(100);
    assertThat(once).hasToString("Once[done]");
  }

  @Test
  void callerAtTheEndDoesNotRunTheTaskAgain() throws Exception {
    Once[] all = new Once[100_000];
    Arrays.setAll(all, i -> new Once());
    Task each =
        () -> {
          for (Once one : all) {
            one.run(runs::incrementAndGet);
          }
        };
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      scheduler.go(each);
      each.run();
    }
    assertThat(runs).hasValue(all.length);
  }

  private void slowly() {
    for (int i = 0; i < 100; i++) {
      Thread.yield();
    }
    runs.incrementAndGet();
  }

  @Test
  void taskThatThrowsCountsAsDone() throws Exception {
    IOException thrown = new IOException("expected");
    assertThatThrownBy(
            () ->
                once.run(
                    () -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);
    once.run(runs::incrementAndGet);
    assertThat(runs).hasValue(0);
  }

  @Test
  void recursiveCallThrows() throws Exception {
    once.run(
        () ->
            assertThatThrownBy(() -> once.run(runs::incrementAndGet))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("from inside"));
    once.run(runs::incrementAndGet);
    assertThat(runs).hasValue(0);
    assertThatThrownBy(() -> once.run(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void interruptEndsTheWaitOfOneCaller() throws Exception {
    Chan<Integer> end = Chan.make();
    AtomicInteger interrupted = new AtomicInteger();
    try (Scheduler scheduler = OneP.scheduler()) {
      Goroutine runner = scheduler.go(() -> once.run(end::receive));
      Await.until(runner::waitReason, "chan receive");
      Goroutine hasty =
          scheduler.go(
              () -> {
                try {
                  once.run(runs::incrementAndGet);
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                }
              });
      Goroutine patient = scheduler.go(() -> once.run(runs::incrementAndGet));
      Await.until(hasty::waitReason, "sync.Mutex.Lock");
      Await.until(patient::waitReason, "sync.Mutex.Lock");
      hasty.interrupt();
      hasty.join();
      assertThat(interrupted).hasValue(1);
      assertThat(patient.thread().isAlive()).isTrue();
      end.send(1);
      patient.join();
      assertThat(runs).hasValue(0);
    }
  }
}
