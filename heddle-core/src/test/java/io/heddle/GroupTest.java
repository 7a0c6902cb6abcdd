package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@HangGuard
class GroupTest {
  @Test
  void awaitWaitsForAllTasks() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    try (Group group = new Group()) {
      for (int i = 0; i < 100; i++) {
        group.go(ran::incrementAndGet);
      }
      group.await();
      assertThat(ran).hasValue(100);
      assertThat(group.context().err()).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void firstFailureCancelsTheRestAndIsThrown() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            IOException first = new IOException("first");
            try (Group group = new Group(Context.background())) {
              Chan<Boolean> waiting = Chan.make();
              group.go(
                  () -> {
                    waiting.send(true);
                    group.context().done().receive();
                    throw new IllegalStateException("second");
                  });
              group.go(
                  () -> {
                    waiting.receive();
                    throw first;
                  });
              assertThatThrownBy(group::await)
                  .isSameAs(first)
                  .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
                  .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("second"));
              assertThat(group.context().cause()).isSameAs(first);
            }
          });
    }
  }

  @Test
  void sameErrorThrownTwiceIsNotSuppressed() {
    Error error = new AssertionError("both");
    try (Group group = new Group()) {
      for (int i = 0; i < 2; i++) {
        group.go(
            () -> {
              throw error;
            });
      }
      assertThatThrownBy(group::await).isSameAs(error).hasNoSuppressedExceptions();
    }
  }

  @Test
  void tasksRunInTheContextOfTheGroup() throws Exception {
    Context.Key<String> key = Context.Key.of("k");
    Context parent = Context.background().withValue(key, "v");
    Chan<Context> seen = Chan.make(2);
    try (Group group = new Group(parent)) {
      group.go(() -> seen.send(Context.current()));
      group.await();
      assertThat(seen.receive()).isSameAs(group.context());
      assertThat(group.context().value(key)).isEqualTo("v");
    }
    parent.run(
        () -> {
          try (Group group = new Group()) {
            assertThat(group.context().value(key)).isEqualTo("v");
          }
        });
  }

  @Test
  void endOfParentContextEndsTheGroup() throws Exception {
    Context.Cancelable parent = Context.background().withCancel();
    try (Group group = new Group(parent)) {
      group.go(() -> Context.current().done().receive());
      parent.cancel();
      group.await();
      assertThat(group.context().err()).isSameAs(parent.err());
    }
  }

  @Test
  void atMostLimitTasksRun() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Scheduler s = Scheduler.builder().procs(4).build()) {
      s.run(
          () -> {
            try (Group group = new Group().limit(3)) {
              for (int i = 0; i < 200; i++) {
                group.go(
                    () -> {
                      most.accumulateAndGet(running.incrementAndGet(), Math::max);
                      Go.gosched();
                      running.decrementAndGet();
                    });
              }
              group.await();
            }
          });
    }
    assertThat(most.get()).isBetween(1, 3);
    assertThat(running).hasValue(0);
  }

  @Test
  void tryGoDoesNotWait() throws Exception {
    Chan<Boolean> release = Chan.make();
    try (Group group = new Group().limit(1)) {
      assertThat(group.tryGo(release::receive)).isTrue();
      assertThat(group.tryGo(release::receive)).isFalse();
      release.send(true);
      group.await();
      assertThat(group.tryGo(() -> {})).isTrue();
    }
  }

  @Test
  void goWaitsWhenGroupIsFull() throws Exception {
    Chan<Boolean> release = Chan.make();
    AtomicBoolean second = new AtomicBoolean();
    try (Scheduler s = Scheduler.builder().procs(2).build();
        Group group = new Group().limit(1)) {
      group.go(release::receive);
      Goroutine starter = s.go(() -> group.go(() -> second.set(true)));
      Await.until(starter::state, Goroutine.State.WAITING);
      assertThat(second).isFalse();
      release.send(true);
      starter.join();
      group.await();
      assertThat(second).isTrue();
    }
  }

  @Test
  void interruptEndsTheWaitForRoom() throws Exception {
    Chan<Boolean> release = Chan.make();
    Chan<Throwable> thrown = Chan.make(1);
    try (Scheduler s = Scheduler.builder().procs(2).build();
        Group group = new Group().limit(1)) {
      group.go(release::receive);
      Goroutine starter =
          s.go(
              () -> {
                try {
                  group.go(() -> {});
                } catch (CancelledException e) {
                  assertThat(Thread.interrupted()).isTrue();
                  thrown.send(e);
                }
              });
      Await.until(starter::state, Goroutine.State.WAITING);
      starter.interrupt();
      assertThat(thrown.receive()).hasMessageContaining("full");
      release.send(true);
    }
  }

  @Test
  void closeCancelsAndWaits() {
    AtomicBoolean ended = new AtomicBoolean();
    Group group = new Group();
    group.go(
        () -> {
          Context.current().done().receive();
          Go.gosched();
          ended.set(true);
        });
    group.close();
    assertThat(ended).isTrue();
    group.close();
    assertThatThrownBy(() -> group.go(() -> {})).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void misuseIsRejected() throws Exception {
    Chan<Boolean> release = Chan.make();
    try (Group group = new Group()) {
      assertThatThrownBy(() -> group.limit(0)).isInstanceOf(IllegalArgumentException.class);
      group.go(release::receive);
      assertThatThrownBy(() -> group.limit(2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("1 goroutine");
      release.send(true);
      group.await();
      group.limit(2);
    }
  }
}
