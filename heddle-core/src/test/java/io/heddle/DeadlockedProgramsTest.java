package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.StuckChecks;
import io.heddle.internal.inspect.StuckReport;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Programs whose goroutines wait for each other, and that must be reported while others run. */
@HangGuard
@Tag("jdks")
class DeadlockedProgramsTest extends StuckFixture {
  private Map<String, Integer> reported = Map.of();

  /** Takes the first of two locks, meets the other goroutine, and takes the second. */
  @FunctionalInterface
  private interface Crossing {
    void run(CountDownLatch both) throws Exception;
  }

  @Override
  List<StuckProgram> programs() {
    return List.of(
        new StuckProgram("two locks", 2, n -> locks(n, List.of(lock(), lock()))),
        new StuckProgram("three locks", 3, n -> locks(n, List.of(lock(), lock(), lock()))),
        new StuckProgram(
            "ring of ten locks", 10, n -> locks(n, Stream.generate(this::lock).limit(10).toList())),
        new StuckProgram(
            "fair locks",
            2,
            n -> locks(n, List.of(new ReentrantLock(true), new ReentrantLock(true)))),
        new StuckProgram("write locks", 2, n -> locks(n, List.of(writeLock(), writeLock()))),
        new StuckProgram("lock and write lock", 2, n -> locks(n, List.of(lock(), writeLock()))),
        new StuckProgram("interruptible locks", 2, this::interruptibleLocks),
        new StuckProgram("two monitors", 2, n -> monitors(n, new Object(), new Object())),
        new StuckProgram(
            "monitors of classes", 2, n -> monitors(n, LeftClass.class, RightClass.class)),
        new StuckProgram("lock and monitor", 2, this::lockAndMonitor),
        new StuckProgram("join of each other", 2, this::joins),
        new StuckProgram(
            "join of itself", 1, n -> scheduler.go(n, () -> Thread.currentThread().join())),
        new StuckProgram("join of one that wants my lock", 2, this::joinAndLock),
        new StuckProgram("join of one that wants my monitor", 2, this::joinAndMonitor),
        new StuckProgram("threads of a goroutine", 2, this::plainThreads),
        new StuckProgram("threads of a factory", 2, this::factoryThreads),
        new StuckProgram("tasks of an executor", 2, this::executorTasks),
        new StuckProgram("two schedulers", 2, this::twoSchedulers));
  }

  private static final class LeftClass {}

  private static final class RightClass {}

  @BeforeAll
  @HangGuard
  void check() {
    reported =
        byName(
            StuckChecks.deadlocked(scheduler.sched(), 0).stream()
                .flatMap(Collection::stream)
                .map(StuckReport::name)
                .toList());
  }

  @TestFactory
  Stream<DynamicTest> everyMemberOfEachCycleIsReported() {
    return programs().stream()
        .map(
            p ->
                DynamicTest.dynamicTest(
                    p.name(), () -> assertThat(reported).containsEntry(p.name(), p.goroutines())));
  }

  @Test
  void nothingElseIsReported() {
    assertThat(reported).hasSize(programs().size());
  }

  @Test
  void cycleOfTwoSchedulersIsReportedForBoth() {
    assertThat(StuckChecks.deadlocked(other.sched(), 0))
        .singleElement()
        .satisfies(
            cycle ->
                assertThat(cycle)
                    .extracting(StuckReport::scheduler)
                    .containsExactlyInAnyOrder("server", "other"));
  }

  @Test
  void reportNamesHolderAndDumpHasTheCycle() {
    Await.until(() -> scheduler.dumpGrouped().contains(" of scheduler other\n")); // the youngest
    assertThat(scheduler.dump())
        .contains("deadlocked goroutines:\n\tgoroutine ")
        .contains(" waits for monitor of ", " waits for Thread.join of goroutine ")
        .containsPattern("\"two locks\" \\[.*\\] waits for .*ReentrantLock.* of goroutine \\d+");
  }

  private ReentrantLock lock() {
    return new ReentrantLock();
  }

  private Lock writeLock() {
    return new ReentrantReadWriteLock().writeLock();
  }

  private void locks(String name, List<? extends Lock> locks) {
    CountDownLatch all = new CountDownLatch(locks.size());
    for (int i = 0; i < locks.size(); i++) {
      Lock mine = locks.get(i);
      Lock next = locks.get((i + 1) % locks.size());
      scheduler.go(
          name,
          () -> {
            mine.lock();
            meet(all);
            next.lock();
          });
    }
  }

  private void interruptibleLocks(String name) {
    ReentrantLock a = lock();
    ReentrantLock b = lock();
    pair(name, both -> cross(a, b, both), both -> cross(b, a, both));
  }

  private static void cross(Lock mine, Lock next, CountDownLatch both) throws Exception {
    mine.lock();
    meet(both);
    next.lockInterruptibly();
  }

  private void pair(String name, Crossing first, Crossing second) {
    CountDownLatch both = new CountDownLatch(2);
    scheduler.go(name, () -> first.run(both));
    scheduler.go(name, () -> second.run(both));
  }

  private void monitors(String name, Object a, Object b) {
    pair(name, both -> nested(a, b, both), both -> nested(b, a, both));
  }

  private static void nested(Object mine, Object next, CountDownLatch both) throws Exception {
    synchronized (mine) {
      meet(both);
      synchronized (next) {
        throw new AssertionError("both hold the monitor");
      }
    }
  }

  private void lockAndMonitor(String name) {
    ReentrantLock lock = lock();
    Object monitor = new Object();
    pair(
        name,
        both -> {
          lock.lock();
          meet(both);
          synchronized (monitor) {
            throw new AssertionError("both hold the monitor");
          }
        },
        both -> {
          synchronized (monitor) {
            meet(both);
            lock.lock();
          }
        });
  }

  private void joins(String name) {
    Chan<Goroutine> handle = Chan.make(1);
    Goroutine first = scheduler.go(name, () -> join(handle));
    scheduler.go(
        name,
        () -> {
          handle.send(Go.current());
          first.join();
        });
  }

  private static void join(Chan<Goroutine> of) throws Exception {
    Goroutine other = of.receive();
    assertThat(other).isNotNull();
    other.join();
  }

  private void joinAndLock(String name) {
    ReentrantLock lock = lock();
    scheduler.go(
        name,
        () -> {
          lock.lock();
          Go.go(name, lock::lock).join();
        });
  }

  private void joinAndMonitor(String name) {
    Object monitor = new Object();
    scheduler.go(
        name,
        () -> {
          synchronized (monitor) {
            Go.go(name, () -> nested(monitor, new Object(), new CountDownLatch(1))).join();
          }
        });
  }

  private void plainThreads(String name) {
    ReentrantLock a = lock();
    ReentrantLock b = lock();
    CountDownLatch both = new CountDownLatch(2);
    scheduler.go(
        () -> {
          Thread.ofVirtual().name(name).start(() -> unchecked(() -> cross(a, b, both)));
          Thread.ofVirtual().name(name).start(() -> unchecked(() -> cross(b, a, both)));
        });
  }

  private void factoryThreads(String name) {
    ReentrantLock a = lock();
    ReentrantLock b = lock();
    CountDownLatch both = new CountDownLatch(2);
    Thread first = scheduler.threadFactory().newThread(() -> unchecked(() -> cross(a, b, both)));
    Thread second = scheduler.threadFactory().newThread(() -> unchecked(() -> cross(b, a, both)));
    for (Thread each : List.of(first, second)) {
      each.setName(name);
      each.start();
    }
  }

  private void executorTasks(String name) {
    ReentrantLock a = lock();
    ReentrantLock b = lock();
    CountDownLatch both = new CountDownLatch(2);
    var executor = scheduler.executor();
    executor.execute(() -> named(name, () -> cross(a, b, both)));
    executor.execute(() -> named(name, () -> cross(b, a, both)));
  }

  private void twoSchedulers(String name) {
    ReentrantLock a = lock();
    ReentrantLock b = lock();
    CountDownLatch both = new CountDownLatch(2);
    scheduler.go(name, () -> cross(a, b, both));
    other.go(name, () -> cross(b, a, both));
  }

  private static void named(String name, Task task) {
    Thread.currentThread().setName(name);
    unchecked(task);
  }

  private static void unchecked(Task task) {
    try {
      task.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
