package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@HangGuard
class ContextTest {
  private static final Duration NEVER = Duration.ofDays(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void cancelReturnsAfterAllDescendantsEnded(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      scheduler.run(
          () -> {
            for (int round = 0; round < 50; round++) {
              twoCancel(Context.background().withCancel());
            }
          });
    }
  }

  private static void twoCancel(Context.Cancelable root) throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    WaitGroup called = new WaitGroup();
    called.add(1);
    Context last = root;
    for (int i = 0; i < 1000; i++) {
      last = root.withCancel();
    }
    last.onDone(
        () -> {
          calls.incrementAndGet();
          called.done();
        });
    Context child = last;
    Chan<Boolean> ended = Chan.make(2);
    for (int i = 0; i < 2; i++) {
      Go.go(
          () -> {
            root.cancel();
            ended.send(child.err() != null);
          });
    }
    assertThat(ended.receive()).isTrue();
    assertThat(ended.receive()).isTrue();
    called.await();
    assertThat(calls).hasValue(1);
  }

  @Test
  void endingTwiceHasNoFurtherEffect() {
    Context.Cancelable parent = Context.background().withCancel();
    Context.Cancelable child = parent.withCancel();
    child.cancel();
    child.close();
    Runnable takeBack = parent.onDone(() -> {});
    takeBack.run();
    takeBack.run();
    assertThat(child.err()).isNotNull();
    assertThat(parent.err()).isNull();
  }

  @Test
  void backgroundNeverEnds() {
    Context background = Context.background();
    assertThat(background.err()).isNull();
    assertThat(background.cause()).isNull();
    assertThat(background.deadline()).isNull();
    assertThat(background.done().tryReceive()).isNull();
    assertThat(((Chan<Void>) background.done()).isClosed()).isFalse();
    background.onDone(() -> {}).run();
  }

  @Test
  void cancelEndsTheContextOnce() throws Exception {
    Context.Cancelable context = Context.background().withCancel();
    assertThat(context.err()).isNull();
    assertThat(isDone(context)).isFalse();
    context.cancel();
    assertThat(context.done().receive()).isNull();
    Throwable err = context.err();
    assertThat(err).isInstanceOf(CancellationException.class);
    assertThat(context.cause()).isSameAs(err);
    context.cancel(new IllegalStateException("too late"));
    context.close();
    assertThat(context.err()).isSameAs(err);
    assertThat(context.cause()).isSameAs(err);
  }

  @Test
  void causeIsKept() {
    IllegalStateException cause = new IllegalStateException("enough");
    Context.Cancelable context = Context.background().withCancel();
    Context below = context.withCancel();
    context.cancel(cause);
    assertThat(context.err()).isInstanceOf(CancellationException.class).hasCause(cause);
    assertThat(below.cause()).isSameAs(cause);
  }

  @Test
  void cancelEndsDescendantsButNotAncestors() {
    Context.Key<String> key = Context.Key.of("k");
    Context.Cancelable top = Context.background().withCancel();
    Context.Cancelable middle = top.withValue(key, "v").withCancel();
    Context bottom = middle.withTimeout(NEVER).withValue(key, "w");
    Context beside = top.withCancel();
    middle.cancel();
    assertThat(isDone(bottom)).isTrue();
    assertThat(bottom.err()).isSameAs(middle.err());
    assertThat(isDone(top)).isFalse();
    assertThat(isDone(beside)).isFalse();
    top.cancel();
    assertThat(isDone(beside)).isTrue();
    Context late = top.withValue(key, "x").withTimeout(NEVER);
    assertThat(late.err()).isSameAs(top.err());
    assertThat(isDone(late)).isTrue();
  }

  @Test
  void cancelEndsDeepTree() {
    Context.Cancelable top = Context.background().withCancel();
    Context bottom = top;
    for (int i = 0; i < 50_000; i++) {
      bottom = bottom.withCancel();
    }
    top.cancel();
    assertThat(bottom.err()).isSameAs(top.err());
  }

  @Test
  void endedChildrenAreForgotten() throws Exception {
    CancelContext top = (CancelContext) Context.background().withCancel();
    for (int i = 0; i < 100; i++) {
      top.withCancel().close();
      top.withTimeout(NEVER).close();
      top.onDone(() -> {}).run();
    }
    assertThat(top.withTimeout(Duration.ofMillis(1)).done().receive()).isNull();
    Await.until(top::dependents, 0);
    try (Context.Cancelable _ = top.withCancel()) {
      assertThat(top.dependents()).isEqualTo(1);
    }
    assertThat(top.dependents()).isZero();
  }

  @Test
  void cancelStopsTheTimer() {
    CancelContext context = (CancelContext) Context.background().withTimeout(NEVER);
    Timer timer = Objects.requireNonNull(context.timer());
    context.cancel();
    assertThat(timer.stop()).isFalse();
    assertThat(context.timer()).isNull();
    assertThat(((CancelContext) context.withTimeout(NEVER)).timer()).isNull();
  }

  @Test
  void deadlineEndsTheContext() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Instant before = Instant.now();
            Context context = Context.background().withTimeout(Duration.ofMillis(10));
            assertThat(context.deadline())
                .isBetween(before.plusMillis(10), Instant.now().plusMillis(10));
            assertThat(context.err()).isNull();
            assertThat(context.done().receive()).isNull();
            assertThat(Instant.now()).isAfterOrEqualTo(before.plusMillis(9)); // two clocks
            assertThat(context.err()).isInstanceOf(TimeoutException.class);
            assertThat(context.cause()).isSameAs(context.err());
          });
    }
  }

  @Test
  void earlierDeadlineWins() throws Exception {
    Instant soon = Instant.now().plusMillis(20);
    Context.Cancelable top = Context.background().withDeadline(soon);
    Context below = top.withTimeout(NEVER);
    assertThat(below.deadline()).isEqualTo(soon);
    assertThat(below.done().receive()).isNull();
    assertThat(below.err()).isSameAs(top.err()).isInstanceOf(TimeoutException.class);

    Context.Cancelable far = Context.background().withTimeout(NEVER);
    Context near = far.withTimeout(Duration.ofMillis(1));
    assertThat(near.done().receive()).isNull();
    assertThat(far.err()).isNull();
    far.cancel();
    assertThat(near.err()).isInstanceOf(TimeoutException.class);
  }

  @Test
  void deadlineMayBePastOrBeyondTheClock() {
    assertThat(Context.background().withTimeout(Duration.ZERO).err())
        .isInstanceOf(TimeoutException.class);
    assertThat(Context.background().withDeadline(Instant.MIN).err())
        .isInstanceOf(TimeoutException.class);
    try (Context.Cancelable far =
        Context.background().withTimeout(Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThat(far.deadline()).isEqualTo(Instant.MAX);
      assertThat(far.err()).isNull();
    }
  }

  @Test
  void valuesAreFoundByIdentity() {
    Context.Key<String> a = Context.Key.of("same");
    Context.Key<String> b = Context.Key.of("same");
    Context context = Context.background().withValue(a, "1").withCancel().withValue(a, "2");
    assertThat(context.value(a)).isEqualTo("2");
    assertThat(context.value(b)).isNull();
    assertThat(context.withValue(b, "3").value(a)).isEqualTo("2");
  }

  @Test
  void runBindsTheContextForGoroutines() throws Exception {
    Context.Key<Integer> key = Context.Key.of("n");
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      Context context = Context.background().withValue(key, 1);
      Chan<Context> seen = Chan.make(10);
      assertThat(Context.current()).isSameAs(Context.background());
      context.run(
          () -> {
            s.run(
                () -> {
                  seen.send(Context.current());
                  Go.go(() -> Go.go("named", () -> seen.send(Context.current())));
                });
            s.go(() -> seen.send(Context.current()));
            Timer.schedule(Duration.ZERO, () -> seen.trySend(Context.current()));
            try (ExecutorService executor = s.executor()) {
              executor.execute(() -> seen.trySend(Context.current()));
            }
          });
      for (int i = 0; i < 5; i++) {
        assertThat(seen.receive()).isSameAs(context);
      }
      s.run(() -> assertThat(Context.current()).isSameAs(Context.background()));
      assertThat(Context.current()).isSameAs(Context.background());
    }
  }

  @Test
  void runRethrowsTheExceptionOfTheTask() {
    Exception thrown = new Exception("checked");
    assertThatThrownBy(
            () ->
                Context.background()
                    .run(
                        () -> {
                          throw thrown;
                        }))
        .isSameAs(thrown);
  }

  @Test
  void onDoneRunsInItsOwnGoroutine() throws Exception {
    try (Scheduler s = Scheduler.builder().procs(2).build()) {
      s.run(
          () -> {
            Context.Cancelable context = Context.background().withCancel();
            Chan<Long> ran = Chan.make(2);
            AtomicInteger taken = new AtomicInteger();
            Runnable call = () -> ran.trySend(Thread.currentThread().threadId());
            context.onDone(call);
            context.onDone(taken::incrementAndGet).run();
            context.cancel();
            assertThat(ran.receive()).isNotEqualTo(Thread.currentThread().threadId());
            Runnable undo = context.onDone(call);
            assertThat(ran.receive()).isNotNull();
            undo.run();
            assertThat(taken).hasValue(0);
          });
    }
  }

  @Test
  void childrenCreatedDuringCancelEnd() throws Exception {
    for (int round = 0; round < 200; round++) {
      Context.Cancelable top = Context.background().withCancel();
      List<Context> below = new ArrayList<>();
      try (Scheduler s = Scheduler.builder().procs(2).build()) {
        s.go(
            () -> {
              for (int i = 0; i < 50; i++) {
                below.add(i % 2 == 0 ? top.withCancel() : top.withTimeout(NEVER));
              }
            });
        s.go(top::cancel);
        s.go(() -> top.cancel(new IllegalStateException("second")));
      }
      assertThat(below).hasSize(50).allMatch(ContextTest::isDone);
      assertThat(below).allMatch(each -> each.err() == top.err());
    }
  }

  private static boolean isDone(Context context) {
    return ((Chan<Void>) context.done()).isClosed();
  }
}
