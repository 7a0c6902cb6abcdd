package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** {@link Go#current}, {@link Scheduler#current}, and the names of the carrier threads. */
@HangGuard
class CurrentTest {
  @Test
  void platformThreadHasNoCurrentGoroutine() {
    assertThat(Go.current()).isNull();
    assertThat(Scheduler.current()).isNull();
  }

  @Test
  void plainVirtualThreadHasNoCurrentGoroutine() throws Exception {
    AtomicReference<Object> seen = new AtomicReference<>();
    Thread.ofVirtual()
        .start(
            () -> {
              seen.set(Go.current());
              if (Scheduler.current() != null) {
                seen.set(Scheduler.current());
              }
            })
        .join();
    assertThat(seen.get()).isNull();
  }

  @Test
  void currentGoroutineIsTheSameAfterItMoves() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(2).build()) {
      for (int i = 0; i < 100; i++) {
        AtomicReference<Goroutine> later = new AtomicReference<>();
        Goroutine g =
            scheduler.go(
                () -> {
                  Go.gosched();
                  Thread.sleep(0, 1_000);
                  later.set(Go.current());
                });
        g.join();
        assertThat(later.get()).isSameAs(g);
      }
    }
  }

  @Test
  void goMethodsInAGoroutineUseItsScheduler() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(3).build()) {
      AtomicReference<Scheduler> ofChild = new AtomicReference<>();
      scheduler.run(
          () -> {
            assertThat(Go.procs()).isEqualTo(3);
            assertThat(Go.procs(2)).isEqualTo(3);
            assertThat(Go.goroutines()).isEqualTo(1);
            Go.go(() -> ofChild.set(Scheduler.current())).join();
          });
      assertThat(ofChild.get()).isSameAs(scheduler);
      assertThat(scheduler.procs()).isEqualTo(2);
    }
  }

  @Test
  void goMethodsElsewhereUseTheSharedScheduler() throws Exception {
    AtomicReference<Scheduler> seen = new AtomicReference<>();
    Go.go(() -> seen.set(Scheduler.current())).join();
    assertThat(seen.get()).isSameAs(Scheduler.shared());
    assertThat(Go.procs()).isEqualTo(Scheduler.shared().procs());
  }

  @Test
  void carrierNameHasSchedulerAndNumber() throws Exception {
    AtomicReference<String> seen = new AtomicReference<>();
    try (Scheduler scheduler = Scheduler.builder().name("weaver").procs(1).build()) {
      scheduler.go("me", () -> seen.set(Thread.currentThread().toString())).join();
    }
    assertThat(seen.get()).matches("VirtualThread\\[#\\d+,me]/runnable@heddle-weaver-M\\d+");
  }

  @Test
  void toStringHasNameAndSize() {
    try (Scheduler scheduler = Scheduler.builder().name("weaver").procs(2).build()) {
      assertThat(scheduler).hasToString("Scheduler[weaver, procs=2, goroutines=0]");
      assertThat(scheduler.stats().toString()).contains("procs=2", "localQueues=[0, 0]");
    }
  }
}
