package io.heddle.junit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.Bubble;
import io.heddle.junit.HeddleTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;

/**
 * Code that knows nothing of Heddle: its threads, locks, queues and waits are explored, and its
 * time is the bubble's.
 */
@Tag("jdks")
class JdkCodeTest {
  private static final int SEEDS = 200;

  private final List<Integer> got = new ArrayList<>();
  private int inside;

  @HeddleTest(seeds = SEEDS)
  void aReentrantLockLetsOneIn() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        threads.submit(
            () -> {
              lock.lock();
              try {
                inside++;
                assertThat(inside).isEqualTo(1);
                inside--;
                got.add(1);
              } finally {
                lock.unlock();
              }
            });
      }
    }
    assertThat(got).hasSize(4);
  }

  @HeddleTest(seeds = SEEDS)
  void aBlockingQueueKeepsTheOrder() throws Exception {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
    Thread producer =
        Thread.startVirtualThread(
            () -> {
              for (int i = 0; i < 6; i++) {
                put(queue, i);
              }
            });
    for (int i = 0; i < 6; i++) {
      got.add(queue.take());
    }
    producer.join();
    assertThat(got).containsExactly(0, 1, 2, 3, 4, 5);
  }

  private static void put(ArrayBlockingQueue<Integer> queue, int v) {
    try {
      queue.put(v);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @HeddleTest(seeds = SEEDS)
  void aConcurrentQueueLosesNothing() throws Exception {
    ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        int n = i;
        threads.submit(() -> queue.add(n));
      }
    }
    assertThat(queue).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @HeddleTest(seeds = SEEDS)
  void aFutureIsCompletedOnce() throws Exception {
    CompletableFuture<Integer> future = new CompletableFuture<>();
    CompletableFuture<Integer> plusOne = future.thenApply(v -> v + 1);
    for (int i = 0; i < 3; i++) {
      int n = i;
      Thread.startVirtualThread(
          () -> {
            if (future.complete(n)) {
              got.add(n);
            }
          });
    }
    int result = plusOne.get();
    Bubble.settle();
    assertThat(got).containsExactly(result - 1);
  }

  /** A stack with a monitor, as one writes it by hand. */
  private static final class Stack {
    private final Deque<Integer> items = new ArrayDeque<>();

    synchronized void push(int item) {
      items.push(item);
      notify();
    }

    synchronized int pop() throws InterruptedException {
      while (items.isEmpty()) {
        wait();
      }
      return items.pop();
    }
  }

  @HeddleTest(seeds = SEEDS)
  void aMonitorWithWaitAndNotifyLosesNothing() throws Exception {
    Stack stack = new Stack();
    for (int i = 0; i < 4; i++) {
      int n = i;
      Thread.startVirtualThread(() -> stack.push(n));
    }
    List<Thread> takers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      takers.add(Thread.startVirtualThread(() -> take(stack)));
    }
    take(stack);
    for (Thread taker : takers) {
      taker.join();
    }
    assertThat(got).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  private void take(Stack stack) {
    try {
      int item = stack.pop();
      synchronized (got) {
        got.add(item);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @HeddleTest(seeds = 20)
  void itsTimeIsTheBubbles() throws Exception {
    Instant before = Instant.now();
    long nanos = System.nanoTime();
    long millis = System.currentTimeMillis();
    Thread.sleep(Duration.ofHours(1));
    assertThat(Duration.between(before, Instant.now())).isEqualTo(Duration.ofHours(1));
    assertThat(System.nanoTime() - nanos).isEqualTo(Duration.ofHours(1).toNanos());
    assertThat(System.currentTimeMillis() - millis).isEqualTo(Duration.ofHours(1).toMillis());
    assertThat(new CountDownLatch(1).await(1, TimeUnit.HOURS)).isFalse();
    assertThat(new ArrayBlockingQueue<>(1).poll(1, TimeUnit.HOURS)).isNull();
    assertThat(new SynchronousQueue<>().poll(1, TimeUnit.HOURS)).isNull();
    assertThatThrownBy(() -> new CompletableFuture<>().get(1, TimeUnit.HOURS))
        .isInstanceOf(TimeoutException.class);
    synchronized (this) {
      wait(TimeUnit.HOURS.toMillis(1));
    }
    assertThat(Bubble.elapsed()).isEqualTo(Duration.ofHours(6));
  }

  @HeddleTest(seeds = SEEDS)
  void aTimedLockIsHadOrNotByTime() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Thread holder =
        Thread.startVirtualThread(
            () -> {
              lock.lock();
              try {
                Thread.sleep(10_000);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                lock.unlock();
              }
            });
    Thread.sleep(1);
    assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isFalse();
    assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
    assertThat(Bubble.elapsed()).isEqualTo(Duration.ofSeconds(10));
    holder.join();
  }
}
