package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Virtual threads that a goroutine creates with plain JDK calls are goroutines of its scheduler.
 */
@HangGuard
class AdoptedThreadsTest {
  private record Observation(Scheduler scheduler, Goroutine goroutine) {}

  private final Scheduler scheduler = Scheduler.builder().name("adopting").procs(2).build();
  private final AtomicReference<Observation> child = new AtomicReference<>();
  private final AtomicReference<Goroutine> parent = new AtomicReference<>();

  @AfterEach
  @HangGuard
  void close() {
    scheduler.close();
    assertThat(scheduler.goroutines()).isZero();
    Invariants.check(scheduler.sched());
  }

  @Test
  void startVirtualThreadMakesAGoroutine() throws Exception {
    runInParent(() -> Thread.startVirtualThread(this::recordCurrent).join());
    assertChildIsSeparateGoroutine();
  }

  @Test
  void ofVirtualStartMakesAGoroutine() throws Exception {
    runInParent(() -> Thread.ofVirtual().name("child").start(this::recordCurrent).join());
    assertChildIsSeparateGoroutine();
    assertThat(child.get().goroutine().name()).isEqualTo("child");
  }

  @Test
  void threadFactoryMakesGoroutines() throws Exception {
    runInParent(
        () -> {
          ThreadFactory factory = Thread.ofVirtual().name("child-", 0).factory();
          Thread thread = factory.newThread(this::recordCurrent);
          thread.start();
          thread.join();
        });
    assertChildIsSeparateGoroutine();
    assertThat(child.get().goroutine().name()).isEqualTo("child-0");
  }

  @Test
  void virtualThreadExecutorMakesGoroutines() throws Exception {
    runInParent(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            executor.submit(this::recordCurrent);
          }
        });
    assertChildIsSeparateGoroutine();
  }

  @Test
  void threadCreatedByGoroutineAndStartedLaterByPlatformThreadIsAdopted() throws Exception {
    AtomicReference<Thread> made = new AtomicReference<>();
    runInParent(() -> made.set(Thread.ofVirtual().unstarted(this::recordCurrent)));
    assertThat(parent.get().state()).isEqualTo(Goroutine.State.DEAD);
    made.get().start();
    made.get().join();
    assertChildIsSeparateGoroutine();
    assertThat(((LiveGoroutine) child.get().goroutine()).creator()).isZero();
  }

  @Test
  void childOfAdoptedThreadIsAdopted() throws Exception {
    runInParent(
        () ->
            Thread.startVirtualThread(
                    () -> {
                      parent.set(Go.current());
                      joinUninterrupted(Thread.startVirtualThread(this::recordCurrent));
                    })
                .join());
    assertChildIsSeparateGoroutine();
    assertThat(((LiveGoroutine) child.get().goroutine()).creator()).isEqualTo(parent.get().id());
  }

  @Test
  void manyAdoptedThreadsHaveUniqueIdsAndEnd() throws Exception {
    Set<Long> ids = ConcurrentHashMap.newKeySet();
    runInParent(
        () -> {
          try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results =
                IntStream.range(0, 2_000)
                    .mapToObj(
                        i ->
                            executor.submit(
                                () -> {
                                  ids.add(Go.current().id());
                                  Thread.yield();
                                  return i;
                                }))
                    .toList();
            Set<Integer> sum = new HashSet<>();
            for (Future<Integer> result : results) {
              sum.add(result.get());
            }
            assertThat(sum).hasSize(2_000);
          }
        });
    assertThat(ids).hasSize(2_000);
  }

  @Test
  void adoptedThreadParksAndIsUnparked() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicReference<Thread> made = new AtomicReference<>();
    runInParent(
        () ->
            made.set(
                Thread.startVirtualThread(
                    () -> {
                      awaitUninterrupted(gate);
                      recordCurrent();
                    })));
    gate.countDown();
    made.get().join();
    assertChildIsSeparateGoroutine();
  }

  @Test
  void closeWaitsForAdoptedThreads() throws Exception {
    AtomicReference<Thread> made = new AtomicReference<>();
    runInParent(
        () ->
            made.set(
                Thread.startVirtualThread(
                    () -> {
                      LockSupport.park();
                      recordCurrent();
                    })));
    Await.until(() -> made.get().getState() == Thread.State.WAITING);
    Thread closer = Thread.ofPlatform().start(scheduler::close);
    Await.until(() -> closer.getState() == Thread.State.WAITING);
    LockSupport.unpark(made.get());
    closer.join();
    assertChildIsSeparateGoroutine();
  }

  private void runInParent(Task task) throws Exception {
    scheduler.run(
        () -> {
          parent.set(Go.current());
          task.run();
        });
  }

  private void recordCurrent() {
    child.set(new Observation(Scheduler.current(), Go.current()));
  }

  private void assertChildIsSeparateGoroutine() {
    assertThat(child.get().scheduler()).isSameAs(scheduler);
    assertThat(child.get().goroutine()).isNotNull().isNotSameAs(parent.get());
    assertThat(child.get().goroutine().id()).isPositive().isNotEqualTo(parent.get().id());
  }

  private static void joinUninterrupted(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
