package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A goroutine that is locked to its thread: rule G7. */
@HangGuard
class LockThreadTest {
  private static final Task NOTHING = () -> {};

  /** The M that is locked now. */
  private volatile Thread reserved;

  private volatile boolean over;
  private final AtomicInteger trespassers = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void g7_lockedGoroutineStaysAloneOnItsThread(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      for (int i = 0; i < 8; i++) {
        scheduler.go(this::trespass);
      }
      try {
        scheduler.run(this::yieldSleepBlockAndPark);
      } finally {
        over = true;
      }
    }
    assertThat(trespassers).hasValue(0);
  }

  private void yieldSleepBlockAndPark() throws Exception {
    Semaphore never = new Semaphore(0);
    Go.lockThread();
    Thread mine = VirtualThreads.carrier();
    reserved = mine;
    for (int i = 0; i < 50; i++) {
      Go.gosched();
      assertThat(VirtualThreads.carrier()).as("after a yield").isSameAs(mine);
      Go.sleep(Duration.ofMillis(1));
      assertThat(VirtualThreads.carrier()).as("after a sleep").isSameAs(mine);
      Go.blocking(() -> never.tryAcquire());
      assertThat(VirtualThreads.carrier()).as("after a blocking call").isSameAs(mine);
      Go.go(NOTHING).join();
      assertThat(VirtualThreads.carrier()).as("after a park").isSameAs(mine);
      Thread.sleep(1);
      assertThat(VirtualThreads.carrier()).as("after the JDK's sleep").isSameAs(mine);
      Go.blocking(() -> never.tryAcquire(1, TimeUnit.MILLISECONDS));
      assertThat(VirtualThreads.carrier()).as("after a park in a blocking call").isSameAs(mine);
    }
    reserved = null;
    Go.unlockThread();
  }

  /**
   * Between the two reads nothing can move the caller off its thread, or put the locked goroutine
   * there.
   */
  private void trespass() {
    while (!over) {
      if (VirtualThreads.carrier() == reserved) {
        trespassers.incrementAndGet();
      }
      Go.gosched();
    }
  }

  @Test
  void g7_startedGoroutineRunsElsewhereUntilTheLastUnlock() throws Exception {
    OneP.run(
        () -> {
          Thread mine = VirtualThreads.carrier();
          Go.lockThread();
          Go.lockThread();
          assertThat(carrierOfNewGoroutine()).isNotSameAs(mine);
          Go.unlockThread();
          assertThat(carrierOfNewGoroutine()).as("still locked").isNotSameAs(mine);
          Go.unlockThread();
          assertThat(carrierOfNewGoroutine()).as("after the last unlock").isSameAs(mine);
        });
  }

  private static Thread carrierOfNewGoroutine() throws InterruptedException {
    AtomicReference<Thread> carrier = new AtomicReference<>();
    Go.go(() -> carrier.set(VirtualThreads.carrier())).join();
    return carrier.get();
  }

  @Test
  void g7_unlockOfUnlockedGoroutineDoesNothing() throws Exception {
    OneP.run(
        () -> {
          Go.unlockThread();
          Go.lockThread();
          Thread mine = VirtualThreads.carrier();
          Go.unlockThread();
          Go.unlockThread();
          Go.lockThread(); // the lock count starts at 0
          assertThat(carrierOfNewGoroutine()).isNotSameAs(mine);
          Go.unlockThread();
          assertThat(carrierOfNewGoroutine()).isSameAs(mine);
        });
  }

  @Test
  void g7_threadOfGoroutineThatEndedLockedRunsOthers() throws Exception {
    try (Scheduler scheduler = OneP.scheduler()) {
      for (int i = 0; i < 100; i++) {
        scheduler
            .go(
                () -> {
                  Go.lockThread();
                  Go.lockThread();
                  Go.gosched();
                })
            .join();
        scheduler.go(NOTHING).join();
      }
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
      assertThat(scheduler.stats().threads()).isLessThan(10);
    }
  }

  @Test
  void g7_threadOfGoroutineThatFailedLockedRunsOthers() throws Exception {
    AtomicInteger failed = new AtomicInteger();
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).uncaught((_, _) -> failed.incrementAndGet()).build()) {
      for (int i = 0; i < 20; i++) {
        scheduler.go(
            () -> {
              Go.lockThread();
              Go.gosched();
              throw new IllegalStateException("as intended");
            });
      }
      Await.until(failed::get, 20);
      scheduler.go(NOTHING).join();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void g7_lockedGoroutinesHandOverToEachOther(int procs) throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(procs).build()) {
      ring(scheduler, 10, 200);
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  /**
   * The M of a goroutine that has just parked gets the goroutine back, with a P, while the world
   * stops.
   */
  @Test
  void g7_p1_lockedGoroutinesHandOverWhileProcsChanges() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (Scheduler scheduler = Scheduler.builder().procs(4).build()) {
      Thread changer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; !done.get(); n++) {
                      scheduler.procs(1 + n % 4);
                    }
                  });
      ring(scheduler, 4, 3_000);
      done.set(true);
      changer.join();
      Await.idle(scheduler);
      Invariants.check(scheduler.sched());
    }
  }

  /** Starts {@code n} locked goroutines that pass a number on {@code rounds} times. */
  private static void ring(Scheduler scheduler, int n, int rounds) throws Exception {
    AtomicInteger moved = new AtomicInteger();
    List<SynchronousQueue<Integer>> queues = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      queues.add(new SynchronousQueue<>());
    }
    List<Goroutine> goroutines = new ArrayList<>();
    CountDownLatch ends = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      SynchronousQueue<Integer> from = queues.get(i);
      SynchronousQueue<Integer> to = queues.get((i + 1) % n);
      boolean last = i == n - 1;
      goroutines.add(
          scheduler.go(
              () -> {
                Go.lockThread();
                Thread mine = VirtualThreads.carrier();
                for (int round = 0; round < rounds; round++) {
                  int number = from.take();
                  if (!last || round < rounds - 1) {
                    to.put(number + 1);
                  }
                  if (VirtualThreads.carrier() != mine) {
                    moved.incrementAndGet();
                  }
                }
                ends.countDown();
              }));
    }
    queues.getFirst().put(0);
    ends.await();
    for (Goroutine g : goroutines) {
      g.join();
    }
    assertThat(moved).hasValue(0);
  }

  @Test
  void g7_plainVirtualThreadCannotBeLocked() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread.startVirtualThread(
            () -> {
              Go.unlockThread();
              try {
                Go.lockThread();
              } catch (IllegalStateException e) {
                thrown.set(e);
              }
            })
        .join();
    assertThat(thrown.get()).hasMessageContaining("lockThread").hasMessageContaining("goroutine");
  }

  @Test
  void g7_lockOfPlatformThreadDoesNothing() {
    Go.lockThread();
    Go.unlockThread();
    Go.unlockThread();
    assertThat(VirtualThreads.carrier()).isSameAs(Thread.currentThread());
  }
}
