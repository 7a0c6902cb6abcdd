package io.heddle.junit.own;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Bubble;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Select;
import io.heddle.Task;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats a run, step by step, with its seed; another seed gives another run. */
class ReplayTest {
  private static final int SEEDS = 300;

  private static List<String> steps = new ArrayList<>();

  /** Programs that note in which order things happened. */
  enum Program {
    CHANNELS(ReplayTest::channels),
    SELECT(ReplayTest::select),
    MONITORS(ReplayTest::monitors),
    WAIT_AND_NOTIFY(ReplayTest::waitAndNotify),
    LOCKS_AND_QUEUES(ReplayTest::locksAndQueues),
    PLAIN_THREADS(ReplayTest::plainThreads);

    final Task body;

    Program(Task body) {
      this.body = body;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSameSeedGivesTheSameOrder(Program program) {
    Set<List<String>> orders = new HashSet<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<String> first = run(seed, program.body);
      List<String> second = run(seed, program.body);
      assertThat(second).as("seed %d", seed).isEqualTo(first).isNotEmpty();
      orders.add(first);
    }
    assertThat(orders.size()).as("different orders of %d", SEEDS).isGreaterThan(20);
  }

  /** What was noted, and the scheduler's own account of it. */
  private static List<String> run(long seed, Task body) {
    steps = new ArrayList<>();
    Bubble.Outcome outcome = Bubble.of(seed).run(body);
    assertThat(outcome.failure()).as("seed %d", seed).isNull();
    assertThat(outcome.outside()).isZero();
    steps.add(outcome.steps() + " " + outcome.trail() + " " + outcome.elapsed());
    return steps;
  }

  private static void channels() throws Exception {
    Chan<String> chan = Chan.make();
    WaitGroup senders = new WaitGroup();
    for (String name : List.of("a", "b", "c")) {
      senders.go(
          () -> {
            for (int i = 0; i < 3; i++) {
              chan.send(name + i);
            }
          });
    }
    Go.go(
        () -> {
          senders.await();
          chan.close();
        });
    for (String v : chan) {
      steps.add(v);
    }
  }

  private static void select() throws Exception {
    Chan<Integer> left = Chan.make(5);
    Chan<Integer> right = Chan.make(5);
    for (int i = 0; i < 5; i++) {
      left.send(i);
      right.send(-i);
    }
    for (int i = 0; i < 10; i++) {
      Select.select(
          Select.recv(left, v -> steps.add("left " + v)),
          Select.recv(right, v -> steps.add("right " + v)));
    }
  }

  private static void monitors() throws Exception {
    Object monitor = new Object();
    WaitGroup all = new WaitGroup();
    for (String name : List.of("a", "b", "c", "d")) {
      all.go(
          () -> {
            for (int i = 0; i < 3; i++) {
              Bubble.point();
              synchronized (monitor) {
                steps.add(name + i);
                Thread.yield();
              }
            }
          });
    }
    all.await();
  }

  private static void waitAndNotify() throws Exception {
    List<String> queue = new ArrayList<>();
    WaitGroup all = new WaitGroup();
    for (String name : List.of("a", "b", "c", "d")) {
      all.go(
          () -> {
            synchronized (queue) {
              while (queue.isEmpty()) {
                queue.wait();
              }
              steps.add(name + queue.removeFirst());
            }
          });
      all.go(
          () -> {
            Bubble.point();
            synchronized (queue) {
              queue.add(name);
              queue.notify();
            }
          });
    }
    all.await();
  }

  private static void locksAndQueues() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : List.of("a", "b", "c", "d")) {
        threads.submit(
            () -> {
              for (int i = 0; i < 3; i++) {
                Bubble.point();
                lock.lock();
                try {
                  queue.put(name + i);
                } finally {
                  lock.unlock();
                }
              }
              return null;
            });
      }
      for (int i = 0; i < 12; i++) {
        steps.add(queue.take());
      }
    }
  }

  private static void plainThreads() throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                steps.add(name);
                Bubble.point();
                steps.add(name);
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Go.sleep(Duration.ofDays(1));
  }
}
