package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.inspect.StuckChecks;
import io.heddle.testkit.ChildJvm;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows from the checks: for main goroutines, in JMX, and for the end of a scheduler. */
@HangGuard
@Tag("jdks")
class StuckMainTest {
  private static final int ROUNDS = 10;
  private static final int LEAKS = 100;

  private final Scheduler scheduler =
      Scheduler.builder().name("main").procs(2).uncaught((_, _) -> {}).build();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();

  @AfterEach
  @HangGuard
  void close() {
    pool.shutdownNow();
    scheduler.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"receive", "wait group", "locks", "wait for the locks of others"})
  void mainThatCanNeverContinueIsReportedBesideOtherThreads(String how) {
    CompletableFuture<Throwable> thrown = runMain(() -> block(how));
    Await.until(
        () -> {
          StuckChecks.deadlocked(scheduler.sched(), 0);
          StuckChecks.leaked(scheduler.sched(), 0);
          return thrown.isDone();
        });
    assertThat(thrown.join())
        .isInstanceOfSatisfying(
            DeadlockException.class,
            e -> {
              assertThat(e.getMessage()).startsWith("deadlock!\n").contains("\"main\"");
              assertThat(e.dump()).contains("\"main\" [");
            });
  }

  @Test
  void mainThatIsWokenLaterIsNotReported() throws Exception {
    Chan<String> outside = Chan.make();
    CompletableFuture<Throwable> thrown =
        runMain(() -> assertThat(outside.receive()).isEqualTo("go"));
    Await.until(() -> scheduler.goroutines() == 1);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(StuckChecks.leaked(scheduler.sched(), 0)).isEmpty();
    }
    outside.send("go");
    assertThat(thrown.join()).hasMessage("returned");
  }

  /** The caller does not refer to the main goroutine strongly, and must find it nevertheless. */
  @Test
  void interruptOfTheCallerReachesMainAfterChecks() throws Exception {
    Chan<String> outside = Chan.make();
    CompletableFuture<Throwable> thrown = runMain(outside::receive);
    Await.until(() -> scheduler.goroutines() == 1);
    assertThat(StuckChecks.leaked(scheduler.sched(), 0)).isEmpty();
    pool.shutdownNow();
    assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
    outside.close();
  }

  /** A check clears the caller's weak reference to the main goroutine, and must restore it. */
  @Test
  void interruptOfTheCallerReachesLeakedMainWithoutDetection() {
    try (Scheduler silent =
        Scheduler.builder().name("silent").procs(1).deadlockDetection(false).build()) {
      CompletableFuture<Throwable> thrown = runMain(silent, () -> Chan.make().receive());
      Await.until(() -> StuckChecks.leaked(silent.sched(), 0).size() == 1);
      assertThat(thrown).isNotDone();
      pool.shutdownNow();
      assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
    }
  }

  /** {@link Scheduler#leaked} collects what it finds, and the caller would wait for ever. */
  @Test
  void mainIsNotCollectedWhileItsCallerWaits() {
    CompletableFuture<Throwable> thrown = runMain(() -> Chan.make().receive());
    Await.until(() -> scheduler.goroutineCounts().waiting() == 1);
    Await.idle(scheduler);
    for (int i = 0; i < 3; i++) {
      assertThat(scheduler.leaked()).isEmpty();
    }
    pool.shutdownNow();
    assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
  }

  private CompletableFuture<Throwable> runMain(Task main) {
    return runMain(scheduler, main);
  }

  private CompletableFuture<Throwable> runMain(Scheduler scheduler, Task main) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    pool.execute(
        () -> {
          try {
            scheduler.run(main);
            thrown.complete(new IllegalStateException("returned"));
          } catch (Throwable t) {
            thrown.complete(t);
          }
        });
    return thrown;
  }

  private static void block(String how) throws Exception {
    switch (how) {
      case "receive" -> Chan.make().receive();
      case "wait group" -> {
        WaitGroup group = new WaitGroup();
        group.add(1);
        group.await();
      }
      case "locks" -> cross("peer");
      default -> Go.go(() -> cross("peer")).join();
    }
  }

  private static void cross(String name) throws Exception {
    ReentrantLock a = new ReentrantLock();
    ReentrantLock b = new ReentrantLock();
    CountDownLatch both = new CountDownLatch(2);
    Go.go(
        name,
        () -> {
          b.lock();
          StuckFixture.meet(both);
          a.lockInterruptibly();
        });
    a.lock();
    StuckFixture.meet(both);
    b.lockInterruptibly();
  }

  @Test
  void findingsAreInJmx() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.heddle.test:type=StuckMainTest");
    server.registerMBean(new SchedulerBean(scheduler), name);
    try {
      SchedulerMXBean bean = JMX.newMXBeanProxy(server, name, SchedulerMXBean.class);
      scheduler.go("lost", () -> Chan.make().receive());
      scheduler.go("crossing", () -> cross("peer"));

      Await.until(() -> bean.findDeadlocked().size() == 1);
      assertThat(bean.findDeadlocked().getFirst().goroutines())
          .hasSize(2)
          .allSatisfy(g -> assertThat(g.waitsFor()).contains("ReentrantLock"))
          .extracting(SchedulerMXBean.StuckGoroutine::name)
          .containsExactlyInAnyOrder("crossing", "peer");
      assertThat(bean.getDeadlockedGoroutines()).isEqualTo(2);

      List<SchedulerMXBean.StuckGoroutine> leaked = new ArrayList<>();
      Await.until( // a check misses a goroutine that an M still refers to
          () -> {
            leaked.clear();
            leaked.addAll(bean.findLeaked());
            return leaked.size() == 3; // nothing else refers to the locks
          });
      assertThat(leaked)
          .filteredOn(g -> g.name().equals("lost"))
          .singleElement()
          .satisfies(
              g -> {
                assertThat(g.scheduler()).isEqualTo("main");
                assertThat(g.name()).isEqualTo("lost");
                assertThat(g.waitReason()).isEqualTo("chan receive");
                assertThat(g.site()).contains("StuckMainTest");
                assertThat(String.join("\n", g.stack())).contains("StuckMainTest");
              });
      assertThat(bean.getLeakedGoroutines()).isEqualTo(3);
      assertThat(bean.findStuck(1))
          .anySatisfy(site -> assertThat(site.waitReason()).isEqualTo("chan receive"));
      assertThat(bean.findStuck(3_600)).isEmpty();
      assertThatThrownBy(() -> bean.findStuck(-1)).hasMessageContaining("allowed is 0 or more");
    } finally {
      server.unregisterMBean(name);
    }
  }

  /** A leaked goroutine is interrupted by the end of its scheduler, also during a check. */
  @Test
  void shutdownDuringChecksReachesLeakedGoroutines() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    Thread checker =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    StuckChecks.leaked(scheduler.sched(), 0);
                  }
                });
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Scheduler brief = Scheduler.builder().name("brief").procs(1).uncaught((_, _) -> {}).build();
        for (int j = 0; j < LEAKS; j++) {
          brief.go(() -> Chan.make().receive());
        }
        Await.until(() -> brief.goroutineCounts().waiting() == LEAKS);
        brief.shutdownNow();
      }
    } finally {
      over.set(true);
      checker.join();
    }
  }

  /** {@link Scheduler#leaked} collects goroutines, so they must not keep their places. */
  @Test
  void collectedGoroutineGivesItsPlaceBack() {
    leakBehindLimit();
    Await.until(() -> scheduler.limits().getFirst().running(), 1L);
    Await.until(() -> scheduler.leaked().size() == 1);
    assertThat(scheduler.limits().getFirst().running()).isZero();
  }

  private void leakBehindLimit() {
    scheduler
        .executor(Limit.rejecting(1))
        .execute(() -> StuckMainTest.unchecked(() -> Chan.make().receive()));
  }

  private static void unchecked(Task task) {
    try {
      task.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void periodicCheckFindsMainInAProgramWithAPool() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().flags("-Dheddle.leakcheck=1s").run("child.LeakedMain");
    assertThat(result.out())
        .contains("DeadlockException", "\"main\" [chan receive]", "0 times woken");
    assertThat(result.err()).contains("1 goroutine of scheduler shared leaked, such as goroutine");
  }
}
