package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors with a limit on the number of their goroutines. */
@HangGuard
class LimitTest {
  private static final Duration SHORT = Duration.ofMillis(5);

  private final Scheduler scheduler = Scheduler.builder().name("limited").procs(2).build();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @AfterEach
  @HangGuard
  void close() {
    gate.countDown();
    scheduler.close();
  }

  @Test
  void submitterWaitsUntilAGoroutineEnds() throws Exception {
    try (ExecutorService executor = full(Limit.blocking(2))) {
      Thread submitter = Thread.ofPlatform().start(() -> executor.execute(this::work));
      Await.until(() -> limit().waiting(), 1L);
      assertThat(scheduler.goroutines()).isEqualTo(2);
      gate.countDown();
      submitter.join();
    }
    assertThat(limit()).isEqualTo(new LimitStats("executor", 0, 0, 0, 3, 1, 0, 0));
  }

  @Test
  void goroutineWaitsWithoutAThread() throws Exception {
    try (ExecutorService executor = full(Limit.blocking(2))) {
      for (int i = 0; i < 100; i++) {
        scheduler.go(() -> executor.execute(this::work));
      }
      Await.until(() -> limit().waiting(), 100L);
      assertThat(scheduler.stats().threads()).isLessThan(20);
      gate.countDown();
      Await.until(() -> limit().started(), 102L);
    }
    assertThat(most.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void fullLimitRejects() {
    try (ExecutorService executor = full(Limit.rejecting(2).named("reports"))) {
      assertThatThrownBy(() -> executor.execute(this::work))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessage("the limit reports of 2 goroutines is full");
      gate.countDown();
      Await.until(() -> limit().running(), 0L);
      executor.execute(this::work);
    }
    assertThat(limit()).isEqualTo(new LimitStats("reports", 0, 0, 0, 3, 0, 1, 0));
  }

  @Test
  void callerRunsTheTaskThatFindsNoPlace() throws Exception {
    try (ExecutorService executor = full(Limit.callerRuns(2))) {
      assertThat(executor.submit(Thread::currentThread).get()).isSameAs(Thread.currentThread());
      gate.countDown();
      Await.until(() -> limit().running(), 0L);
      assertThat(executor.submit(Thread::currentThread).get().isVirtual()).isTrue();
    }
    assertThat(limit().ranInCaller()).isOne();
  }

  @Test
  void deadlineEndsTheWait() throws Exception {
    try (ExecutorService executor = full(Limit.blocking(2).within(SHORT))) {
      assertThatThrownBy(() -> executor.execute(this::work))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessage("the limit executor of 2 goroutines is full for 5 ms");
      gate.countDown();
    }
    assertThat(limit()).isEqualTo(new LimitStats("executor", 0, 0, 0, 2, 1, 1, 0));
  }

  @Test
  void callerRunsAfterTheDeadline() throws Exception {
    try (ExecutorService executor = full(Limit.callerRuns(2).within(SHORT))) {
      assertThat(executor.submit(Thread::currentThread).get()).isSameAs(Thread.currentThread());
      gate.countDown();
    }
    assertThat(limit()).isEqualTo(new LimitStats("executor", 0, 0, 0, 2, 1, 0, 1));
  }

  @Test
  void interruptEndsTheWaitAndStaysSet() throws Exception {
    try (ExecutorService executor = full(Limit.blocking(2))) {
      List<Object> seen = new ArrayList<>();
      Thread submitter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      executor.execute(this::work);
                    } catch (RejectedExecutionException e) {
                      seen.add(e.getMessage());
                      seen.add(Thread.currentThread().isInterrupted());
                    }
                  });
      Await.until(() -> limit().waiting(), 1L);
      submitter.interrupt();
      submitter.join();
      assertThat(seen)
          .containsExactly(
              "the limit executor of 2 goroutines is full,"
                  + " and the thread was interrupted while it waited",
              true);
      gate.countDown();
    }
  }

  @Test
  void neverMoreGoroutinesThanTheLimitUnderLoad() throws Exception {
    List<Future<?>> done = new ArrayList<>();
    gate.countDown();
    try (ExecutorService executor = scheduler.executor(Limit.blocking(3))) {
      for (int i = 0; i < 5_000; i++) {
        done.add(executor.submit(this::work));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    assertThat(most.get()).isBetween(1, 3);
    assertThat(limit().started()).isEqualTo(5_000);
    assertThat(limit().running()).isZero();
  }

  @Test
  void failedTaskGivesItsPlaceBack() throws Exception {
    try (ExecutorService executor = scheduler.executor(Limit.blocking(1))) {
      for (int i = 0; i < 100; i++) {
        executor.submit(
            () -> {
              throw new IllegalStateException("intended");
            });
      }
    }
    assertThat(limit().running()).isZero();
  }

  @Test
  void endedExecutorRejectsAndItsLimitIsNotCounted() {
    ExecutorService executor = scheduler.executor(Limit.callerRuns(2));
    assertThat(limit().max()).isEqualTo(2);
    executor.shutdown();
    assertThat(limit().max()).isZero();
    assertThatThrownBy(() -> executor.execute(this::work))
        .isInstanceOf(RejectedExecutionException.class);
    executor.close();
    assertThat(most.get()).isZero();
  }

  @Test
  void submissionThatWaitsUntilTheEndOfTheExecutorIsCountedAsRejected() throws Exception {
    ExecutorService executor = full(Limit.blocking(2));
    List<Throwable> seen = new ArrayList<>();
    Thread submitter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    executor.execute(this::work);
                  } catch (RejectedExecutionException e) {
                    seen.add(e);
                  }
                });
    Await.until(() -> limit().waiting(), 1L);
    executor.shutdown();
    gate.countDown();
    submitter.join();
    executor.close();
    assertThat(seen).hasSize(1);
    assertThat(limit()).isEqualTo(new LimitStats("executor", 0, 0, 0, 2, 1, 1, 0));
  }

  @Test
  void beanShowsLimits() {
    try (ExecutorService executor = full(Limit.blocking(2).named("a"));
        ExecutorService _ = scheduler.executor(Limit.blocking(5).named("a"))) {
      assertThat(new SchedulerBean(scheduler).getLimits())
          .containsExactly(new LimitStats("a", 7, 2, 0, 2, 0, 0, 0));
      assertThat(executor.isShutdown()).isFalse();
      gate.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void limitBelowOneIsRefused(int n) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limit.blocking(n))
        .withMessage("the limit is " + n + ": allowed is 1 or more");
  }

  /** Returns an executor with as many goroutines as the limit of 2 admits; they wait. */
  private ExecutorService full(Limit limit) {
    ExecutorService executor = scheduler.executor(limit);
    executor.execute(this::work);
    executor.execute(this::work);
    return executor;
  }

  private void work() {
    most.accumulateAndGet(active.incrementAndGet(), Math::max);
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      active.decrementAndGet();
    }
  }

  private LimitStats limit() {
    return scheduler.limits().getFirst();
  }
}
