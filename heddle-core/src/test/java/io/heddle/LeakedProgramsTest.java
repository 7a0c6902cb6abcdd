package io.heddle;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;
import static io.heddle.Select.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.StuckChecks;
import io.heddle.internal.inspect.StuckReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Programs with goroutines that nothing can wake, and that must be reported while others run. */
@HangGuard
@Tag("jdks")
class LeakedProgramsTest extends StuckFixture {
  private static final int MAX_CHECKS = 50;

  private Map<String, Integer> reported = Map.of();

  @Override
  List<StuckProgram> programs() {
    return List.of(
        alone("receive", () -> Chan.make().receive()),
        alone("send", () -> Chan.<String>make().send("lost")),
        alone("send to a full buffer", LeakedProgramsTest::fillBuffer),
        alone("range over a channel that stays open", LeakedProgramsTest::range),
        alone("select", () -> select(recv(Chan.make()), send(Chan.make(), 1))),
        alone("select of nothing", () -> select()),
        alone("receive from nil", () -> select(recv(null))),
        alone("wait group", LeakedProgramsTest::waitForGroup),
        alone("mutex", LeakedProgramsTest::lockTwice),
        alone("upgrade of a read lock", LeakedProgramsTest::upgrade),
        alone("semaphore", LeakedProgramsTest::acquireTwice),
        alone("JDK latch", () -> new CountDownLatch(1).await()),
        alone("JDK semaphore", () -> new java.util.concurrent.Semaphore(0).acquire()),
        alone("JDK condition", LeakedProgramsTest::condition),
        alone("JDK upgrade of a read lock", LeakedProgramsTest::upgradeInTheJdk),
        alone("JDK future", () -> new CompletableFuture<String>().get()),
        alone("JDK queue", () -> new LinkedBlockingQueue<String>().take()),
        alone("JDK synchronous queue", () -> new SynchronousQueue<String>().put("lost")),
        alone("JDK transfer queue", () -> new LinkedTransferQueue<String>().transfer("lost")),
        alone("JDK barrier", () -> new CyclicBarrier(2).await()),
        alone("JDK phaser", LeakedProgramsTest::phaser),
        alone("JDK exchanger", () -> new Exchanger<String>().exchange("lost")),
        alone("park", () -> LockSupport.park(new Object())),
        new StuckProgram("two that wait for each other", 2, this::twoInside),
        new StuckProgram("producers of a consumer that gave up", 5, this::consumerGaveUp),
        new StuckProgram("two schedulers", 2, this::twoSchedulers),
        new StuckProgram("group that waits for a leaked one", 2, this::groupOfLeaked));
  }

  private StuckProgram alone(String name, Task task) {
    return new StuckProgram(name, 1, n -> scheduler.go(n, task));
  }

  @BeforeAll
  @HangGuard
  void check() {
    Map<String, Integer> all = new TreeMap<>();
    programs().forEach(p -> all.put(p.name(), inItsScheduler(p)));
    reported = leakedInTheEnd(scheduler, all);
    assertThat(leakedInTheEnd(scheduler, all)).as("leaked goroutines stay").isEqualTo(reported);
  }

  /**
   * Checks until all are reported, and returns what the last check has reported. A check misses a
   * goroutine that something still refers to for a moment, such as the M that ran it last.
   */
  private static Map<String, Integer> leakedInTheEnd(
      Scheduler scheduler, Map<String, Integer> all) {
    Map<String, Integer> last = leaked(scheduler);
    for (int i = 1; i < MAX_CHECKS && !last.equals(all); i++) {
      last = leaked(scheduler);
    }
    return last;
  }

  /** One of the two goroutines of the program "two schedulers" belongs to the other scheduler. */
  private static int inItsScheduler(StuckProgram program) {
    return program.name().equals("two schedulers") ? 1 : program.goroutines();
  }

  private static Map<String, Integer> leaked(Scheduler scheduler) {
    return byName(
        StuckChecks.leaked(scheduler.sched(), 0).stream().map(StuckReport::name).toList());
  }

  @TestFactory
  Stream<DynamicTest> everyGoroutineIsReported() {
    return programs().stream()
        .map(
            p ->
                DynamicTest.dynamicTest(
                    p.name(),
                    () -> assertThat(reported).containsEntry(p.name(), inItsScheduler(p))));
  }

  @Test
  void nothingElseIsReported() {
    assertThat(reported).hasSize(programs().size());
  }

  @Test
  void goroutineOfTheOtherSchedulerIsReportedThere() {
    Map<String, Integer> all = Map.of("two schedulers", 1);
    assertThat(leakedInTheEnd(other, all)).isEqualTo(all);
  }

  @Test
  void dumpHasTheLeaks() {
    assertThat(scheduler.dump())
        .contains("\nleaked goroutines, found ", "\"receive\" [chan receive]");
  }

  private static void fillBuffer() throws Exception {
    Chan<Integer> buffer = Chan.make(1);
    buffer.send(1);
    buffer.send(2);
  }

  private static void range() {
    Chan<Integer> open = Chan.make(1);
    for (int n : open) {
      throw new AssertionError(n);
    }
  }

  private static void waitForGroup() throws Exception {
    WaitGroup group = new WaitGroup();
    group.add(1);
    group.await();
  }

  private static void lockTwice() {
    Mutex mutex = new Mutex();
    mutex.lock();
    mutex.lock();
  }

  private static void upgrade() {
    RWMutex mutex = new RWMutex();
    mutex.readLock().lock();
    mutex.writeLock().lock();
  }

  private static void acquireTwice() throws Exception {
    Semaphore semaphore = new Semaphore(1);
    semaphore.acquire(1);
    semaphore.acquire(1);
  }

  private static void condition() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    lock.newCondition().await();
  }

  private static void upgradeInTheJdk() {
    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    lock.readLock().lock();
    lock.writeLock().lock();
  }

  private static void phaser() {
    Phaser phaser = new Phaser(2);
    phaser.arriveAndAwaitAdvance();
  }

  private void twoInside(String name) {
    scheduler.go(
        name,
        () -> {
          Chan<String> there = Chan.make();
          Chan<String> back = Chan.make();
          Go.go(
              name,
              () -> {
                there.receive();
                back.send("never");
              });
          back.receive();
        });
  }

  private void consumerGaveUp(String name) {
    scheduler.go(
        () -> {
          Chan<Integer> results = Chan.make();
          for (int i = 0; i < 6; i++) {
            int result = i;
            Go.go(name, () -> results.send(result));
          }
          results.receive();
        });
  }

  private void twoSchedulers(String name) {
    scheduler.go(
        name,
        () -> {
          Chan<String> there = Chan.make();
          Chan<String> back = Chan.make();
          other.go(
              name,
              () -> {
                there.receive();
                back.send("never");
              });
          back.receive();
        });
  }

  private void groupOfLeaked(String name) {
    scheduler.go(
        name,
        () -> {
          WaitGroup group = new WaitGroup();
          group.add(1);
          Go.go(
              name,
              () -> {
                Chan.make().receive();
                group.done();
              });
          group.await();
        });
  }
}
