package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scheduler as the JDK's {@link ExecutorService} and
 * {@link java.util.concurrent.ThreadFactory}.
 */
@HangGuard
@Tag("jdks")
class ExecutorTest {
  private final Scheduler scheduler = Scheduler.builder().name("pool").procs(2).build();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.close();
  }

  @Test
  void eachTaskIsItsOwnGoroutine() throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      Goroutine first = executor.submit(Go::current).get();
      Goroutine second = executor.submit(Go::current).get();
      assertThat(first).isNotSameAs(second);
      assertThat(executor.submit(Scheduler::current).get()).isSameAs(scheduler);
    }
  }

  @Test
  void invokeAllRunsAllTasks() throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      List<Callable<Integer>> tasks =
          IntStream.range(0, 1_000).<Callable<Integer>>mapToObj(i -> () -> i * i).toList();
      List<Future<Integer>> results = executor.invokeAll(tasks);
      for (int i = 0; i < 1_000; i++) {
        assertThat(results.get(i).get()).isEqualTo(i * i);
      }
    }
  }

  @Test
  void invokeAnyCancelsTheOthers() throws Exception {
    try (ExecutorService executor = scheduler.executor()) {
      CountDownLatch never = new CountDownLatch(1);
      String winner =
          executor.invokeAny(
              List.of(
                  () -> {
                    never.await();
                    return "never";
                  },
                  () -> "at once"));
      assertThat(winner).isEqualTo("at once");
    }
  }

  @Test
  void exceptionOfATaskIsInItsFuture() {
    try (ExecutorService executor = scheduler.executor()) {
      Future<Void> failed =
          executor.submit(
              () -> {
                throw new IOException("in the task");
              });
      assertThatThrownBy(failed::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void closingTheExecutorDoesNotCloseTheScheduler() throws Exception {
    ExecutorService executor = scheduler.executor();
    executor.close();
    assertThatThrownBy(() -> executor.submit(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    scheduler.go(() -> {}).join();
    try (ExecutorService another = scheduler.executor()) {
      assertThat(another.submit(() -> 7).get()).isEqualTo(7);
    }
  }

  @Test
  void completableFutureRunsOnTheExecutor() {
    try (ExecutorService executor = scheduler.executor()) {
      Scheduler seen =
          CompletableFuture.supplyAsync(() -> 1, executor)
              .thenApplyAsync(_ -> Scheduler.current(), executor)
              .join();
      assertThat(seen).isSameAs(scheduler);
    }
  }

  @Test
  void factoryThreadIsAGoroutineOnceStarted() throws Exception {
    AtomicReference<Goroutine> seen = new AtomicReference<>();
    Thread thread = scheduler.threadFactory().newThread(() -> seen.set(Go.current()));
    assertThat(thread.isVirtual()).isTrue();
    assertThat(thread.getState()).isEqualTo(Thread.State.NEW);
    assertThat(scheduler.goroutines()).as("not started yet").isZero();
    thread.setName("mine");
    thread.start();
    thread.join();
    assertThat(seen.get().thread()).isSameAs(thread);
    assertThat(seen.get().name()).isEqualTo("mine");
  }

  @Test
  void factoryRejectsNull() {
    assertThatThrownBy(() -> scheduler.threadFactory().newThread(null))
        .isInstanceOf(NullPointerException.class);
  }
}
