package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The identity of a goroutine while it lives and after its end: rule G3 and the methods of
 * {@link Goroutine}.
 */
@HangGuard
@Tag("jdks")
class IdentityTest {
  private static final int MANY = 100_000;

  @Test
  void g3_idsOfAHundredThousandGoroutinesAreUnique() {
    Queue<Long> ids = new ConcurrentLinkedQueue<>();
    try (Scheduler scheduler = Scheduler.builder().procs(4).build()) {
      for (int i = 0; i < MANY / 100; i++) {
        scheduler.go(
            () -> {
              ids.add(Go.current().id());
              for (int child = 1; child < 100; child++) {
                Go.go(() -> ids.add(Go.current().id()));
              }
            });
      }
    }
    Set<Long> unique = new HashSet<>(ids);
    assertThat(ids).hasSize(MANY);
    assertThat(unique).hasSize(MANY).allMatch(id -> id > 0);
  }

  @Test
  void g3_handleOfDeadGoroutineStaysDead() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine dead = scheduler.go("dead", () -> {});
      dead.join();
      long id = dead.id();
      for (int i = 0; i < 1_000; i++) {
        Goroutine other = scheduler.go(() -> {});
        LockSupport.unpark(dead.thread());
        dead.interrupt();
        other.join();
        assertThat(other.id()).isNotEqualTo(id);
      }
      assertThat(dead.id()).isEqualTo(id);
      assertThat(dead.name()).isEqualTo("dead");
      assertThat(dead.state()).isEqualTo(Goroutine.State.DEAD);
      assertThat(dead.join(Duration.ZERO)).isTrue();
    }
  }

  @Test
  void handleIsTheRunningGoroutine() throws Exception {
    AtomicReference<Goroutine> inside = new AtomicReference<>();
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine g = scheduler.go("worker", () -> inside.set(Go.current()));
      g.join();
      assertThat(inside.get()).isSameAs(g).hasToString("goroutine " + g.id() + " \"worker\"");
      assertThat(g.thread().getName()).isEqualTo("worker");
      assertThat(g.thread().isVirtual()).isTrue();
    }
  }

  @Test
  void nameIsEmptyByDefault() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine g = scheduler.go(() -> {});
      assertThat(g.name()).isEmpty();
      assertThat(g).hasToString("goroutine " + g.id());
    }
  }

  @Test
  void timedJoinOfLivingGoroutineTimesOut() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      Goroutine g = scheduler.go(() -> LockSupport.park());
      assertThat(g.join(Duration.ofMillis(1))).isFalse();
      LockSupport.unpark(g.thread());
      assertThat(g.join(Duration.ofMinutes(1))).isTrue();
    }
  }

  @Test
  void interruptReachesTheThread() throws Exception {
    AtomicReference<Throwable> caught = new AtomicReference<>();
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).uncaught((_, e) -> caught.set(e)).build()) {
      Goroutine g = scheduler.go(() -> Thread.sleep(1_000_000));
      g.interrupt();
      g.join();
    }
    assertThat(caught.get()).isInstanceOf(InterruptedException.class);
  }
}
