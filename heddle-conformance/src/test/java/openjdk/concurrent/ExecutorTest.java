package openjdk.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import openjdk.VirtualTest;
import openjdk.World;
import org.junit.jupiter.api.Test;

/**
 * An executor that starts a virtual thread for each task: ThreadPerTaskExecutorTest.java,
 * CompletableFutureTimedGet.java.
 */
class ExecutorTest extends VirtualTest {
  @Test
  void startsAThreadForEachTask() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 1_000; i++) {
        executor.submit(() -> threads.add(World.checkCaller()));
      }
    }
    assertThat(threads).hasSize(1_000);
  }

  @Test
  void withAFactory() throws Exception {
    Set<String> names = ConcurrentHashMap.newKeySet();
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("t-", 0).factory())) {
      for (int i = 0; i < 10; i++) {
        executor.execute(() -> names.add(Thread.currentThread().getName()));
      }
    }
    assertThat(names).hasSize(10).contains("t-0", "t-9");
    assertThatNullPointerException().isThrownBy(() -> Executors.newThreadPerTaskExecutor(null));
  }

  @Test
  void closeWaitsForAll() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    for (int i = 0; i < 100; i++) {
      executor.execute(
          () -> {
            LockSupport.parkNanos(2_000_000);
            ended.incrementAndGet();
          });
    }
    executor.close();
    assertThat(ended).hasValue(100);
    assertThat(executor.isTerminated()).isTrue();
    assertThatExceptionOfType(RejectedExecutionException.class)
        .isThrownBy(() -> executor.execute(() -> {}));
    executor.close();
  }

  @Test
  void closeThatIsInterruptedInterruptsAll() throws Exception {
    platformAndVirtual(
        () -> {
          ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
          Future<?> task =
              executor.submit(
                  () -> {
                    Thread.sleep(Duration.ofHours(1));
                    return null;
                  });
          Thread.currentThread().interrupt();
          executor.close();
          assertThat(Thread.interrupted()).isTrue();
          assertThatExceptionOfType(ExecutionException.class)
              .isThrownBy(task::get)
              .withCauseInstanceOf(InterruptedException.class);
        });
  }

  @Test
  void shutdownNowInterruptsAll() throws Exception {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    CountDownLatch running = new CountDownLatch(1);
    Future<?> task =
        executor.submit(
            () -> {
              running.countDown();
              Thread.sleep(Duration.ofHours(1));
              return null;
            });
    running.await();
    assertThat(executor.shutdownNow()).isEmpty();
    assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(task.exceptionNow()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void awaitTerminationTimesOut() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor.submit(
          () -> {
            gate.await();
            return null;
          });
      executor.shutdown();
      assertThat(executor.awaitTermination(5, TimeUnit.MILLISECONDS)).isFalse();
      assertThat(executor.isShutdown()).isTrue();
      assertThat(executor.isTerminated()).isFalse();
      gate.countDown();
    }
  }

  @Test
  void invokeAll() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> tasks =
          IntStream.range(0, 100).<Callable<Integer>>mapToObj(i -> () -> slowly(i)).toList();
      int sum = 0;
      for (Future<Integer> future : executor.invokeAll(tasks)) {
        assertThat(future.state()).isEqualTo(Future.State.SUCCESS);
        sum += future.resultNow();
      }
      assertThat(sum).isEqualTo(4_950);
      List<Future<Object>> late =
          executor.invokeAll(List.of(ExecutorTest::sleepForEver), 5, TimeUnit.MILLISECONDS);
      assertThat(late.getFirst().isCancelled()).isTrue();
    }
  }

  @Test
  void invokeAny() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Object first = executor.invokeAny(List.of(ExecutorTest::sleepForEver, () -> "first"));
      assertThat(first).isEqualTo("first");
      assertThatExceptionOfType(TimeoutException.class)
          .isThrownBy(
              () ->
                  executor.invokeAny(
                      List.of(ExecutorTest::sleepForEver), 5, TimeUnit.MILLISECONDS));
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(
              () ->
                  executor.invokeAny(
                      List.of(
                          () -> {
                            throw new IllegalStateException("none");
                          })))
          .withCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void cancelInterrupts() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch running = new CountDownLatch(1);
      CountDownLatch interrupted = new CountDownLatch(1);
      Future<?> task =
          executor.submit(
              () -> {
                running.countDown();
                try {
                  Thread.sleep(Duration.ofHours(1));
                } catch (InterruptedException e) {
                  interrupted.countDown();
                }
              });
      running.await();
      assertThat(task.cancel(true)).isTrue();
      interrupted.await();
      assertThatExceptionOfType(CancellationException.class).isThrownBy(task::get);
    }
  }

  @Test
  void executorsInExecutors() throws Exception {
    AtomicInteger leaves = new AtomicInteger();
    try (ExecutorService outer = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        outer.execute(
            () -> {
              try (ExecutorService inner = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int n = 0; n < 20; n++) {
                  inner.execute(
                      () -> {
                        World.checkCaller();
                        Thread.yield();
                        leaves.incrementAndGet();
                      });
                }
              }
            });
      }
    }
    assertThat(leaves).hasValue(400);
  }

  @Test
  void completableFutures() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<Integer> sum =
          CompletableFuture.supplyAsync(() -> slowly(1), executor)
              .thenCombineAsync(
                  CompletableFuture.supplyAsync(() -> slowly(2), executor),
                  (a, b) -> {
                    World.checkCaller();
                    return a + b;
                  },
                  executor)
              .thenApplyAsync(n -> slowly(n) * 10, executor);
      assertThat(sum.get()).isEqualTo(30);
      CompletableFuture<Object> failed =
          CompletableFuture.supplyAsync(
                  () -> {
                    throw new IllegalStateException("told");
                  },
                  executor)
              .exceptionallyAsync(Throwable::getCause, executor);
      assertThat(failed.get()).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void timedGetWithAndWithoutAResult() throws Exception {
    for (int i = 0; i < 200; i++) {
      int time = i;
      CompletableFuture<String> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                LockSupport.parkNanos(time * 10_000L);
                answer.complete("here");
              });
      virtually(() -> assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("here"));
    }
    virtually(
        () ->
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> new CompletableFuture<>().get(1, TimeUnit.MILLISECONDS)));
  }

  @Test
  void poolsOfVirtualThreads() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    try (var pool = Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory())) {
      for (int i = 0; i < 20; i++) {
        pool.schedule(
            () -> {
              World.checkCaller();
              ran.incrementAndGet();
            },
            1,
            TimeUnit.MILLISECONDS);
      }
    }
    assertThat(ran).hasValue(20);
  }

  private static Integer slowly(int n) {
    LockSupport.parkNanos(10_000);
    return n;
  }

  private static Object sleepForEver() throws InterruptedException {
    Thread.sleep(Duration.ofHours(1));
    return "never";
  }
}
