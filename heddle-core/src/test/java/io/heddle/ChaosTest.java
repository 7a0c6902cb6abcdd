package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The number of Ps changes without a pause (rule P1), while goroutines compute for longer than
 * their slice, block their threads with and without marking it, sleep, park, yield, lock themselves
 * to threads and start others. Each must end exactly once, and then the scheduler must be idle.
 *
 * <p>{@code -Dheddle.chaos.seconds} makes it longer: see docs/internals/HACKING.md.
 */
@Timeout(value = 30, unit = java.util.concurrent.TimeUnit.MINUTES)
class ChaosTest {
  private static final double SECONDS =
      Double.parseDouble(System.getProperty("heddle.chaos.seconds", "1"));

  /** The number of goroutines alive at a time. */
  private static final int MAX_ALIVE = 200;

  /**
   * Seconds without the end of any goroutine after which the run counts as hung. That is far longer
   * than any goroutine lives, however busy the machine.
   */
  private static final int HANG_SECONDS = 60;

  @ParameterizedTest
  @CsvSource({"2, 1000", "16, 100"})
  void p1_everyGoroutineEndsWhileProcsChanges(int procs, int sliceMicros) throws Exception {
    p1_everyGoroutineEndsOnAnyProcs(procs, sliceMicros);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"1, 10000", "4, 1000", "4, 100", "16, 1000"})
  void p1_everyGoroutineEndsOnAnyProcs(int procs, int sliceMicros) throws Exception {
    Chaos chaos = new Chaos(procs, Duration.ofNanos(1_000L * sliceMicros));
    chaos.run((long) (SECONDS * 1e9));
    chaos.check();
  }

  private static final class Chaos {
    private final AtomicLong started = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final Queue<ParkedThread> parked = new ConcurrentLinkedQueue<>();
    private final Scheduler scheduler;
    private final int procs;

    private record ParkedThread(Thread thread, AtomicBoolean free) {}

    Chaos(int procs, Duration slice) {
      this.procs = procs;
      this.scheduler =
          Scheduler.builder()
              .name("chaos")
              .procs(procs)
              .timeSlice(slice)
              .uncaught((g, e) -> uncaught.add(e))
              .build();
    }

    void run(long nanos) throws Exception {
      List<Thread> outside =
          List.of(
              Thread.ofPlatform().start(this::changeProcs),
              Thread.ofPlatform().start(this::unparkFromOutside),
              Thread.ofPlatform().start(this::dumpAndReadStats));
      long end = System.nanoTime() + nanos;
      while (System.nanoTime() - end < 0) {
        if (started.get() - ended.get() < MAX_ALIVE) {
          start();
        } else {
          LockSupport.parkNanos(10_000);
        }
      }
      awaitEnds();
      over.set(true);
      for (Thread thread : outside) {
        thread.join();
      }
    }

    void check() {
      scheduler.procs(procs);
      Await.until(scheduler::goroutines, 0);
      awaitQuiet();
      Invariants.check(scheduler.sched());
      scheduler.close();
      assertThat(uncaught).isEmpty();
      Stats stats = scheduler.stats();
      assertThat(ended.get()).isEqualTo(started.get());
      assertThat(stats.finished()).isEqualTo(stats.started()).isEqualTo(started.get());
      assertThat(stats.threads()).isZero();
    }

    /**
     * The P of a goroutine that blocked its thread comes back within a slice or two, when sysmon
     * looks.
     */
    private void awaitQuiet() {
      long end = System.nanoTime() + Duration.ofSeconds(HANG_SECONDS).toNanos();
      while (!isQuiet(scheduler.stats())) {
        assertThat(System.nanoTime() - end).as(() -> "not idle: " + scheduler.stats()).isNegative();
        VirtualThreads.osYield();
      }
    }

    private static boolean isQuiet(Stats stats) {
      return stats.idleProcs() == stats.procs()
          && stats.idleThreads() == stats.threads()
          && stats.spinningThreads() == 0;
    }

    private void awaitEnds() {
      long before = -1;
      long since = System.nanoTime();
      while (ended.get() < started.get()) {
        if (ended.get() != before) {
          before = ended.get();
          since = System.nanoTime();
        }
        if (System.nanoTime() - since > Duration.ofSeconds(HANG_SECONDS).toNanos()) {
          throw new AssertionError("hang: " + scheduler.stats() + "\n" + scheduler.dump());
        }
        LockSupport.parkNanos(100_000);
      }
    }

    private void start() {
      started.incrementAndGet();
      int kind = ThreadLocalRandom.current().nextInt(14);
      scheduler.go("kind " + kind, () -> live(kind));
    }

    private void startChild() {
      started.incrementAndGet();
      int kind = ThreadLocalRandom.current().nextInt(6);
      Thread.ofVirtual().name("child " + kind).start(() -> liveUnchecked(kind));
    }

    private void liveUnchecked(int kind) {
      try {
        live(kind);
      } catch (Exception e) {
        uncaught.add(e);
      }
    }

    private void live(int kind) throws Exception {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      switch (kind) {
        case 0, 1, 2 -> sleepNow(random.nextLong(2_000_000));
        case 3 -> yieldAWhile();
        case 4 -> park();
        case 5 -> unparkNextParked();
        case 6 -> compute(random.nextLong(50) == 0 ? 30_000_000 : random.nextLong(2_000_000));
        case 7 -> Go.blocking(() -> nativeSleep(random.nextLong(2_000_000)));
        case 8 -> Go.blocking(() -> computeInCall(random.nextLong(100_000)));
        case 9 -> pinned(() -> LockSupport.parkNanos(random.nextLong(2_000_000)));
        case 10 -> pinned(() -> sleepNow(random.nextLong(2_000_000)));
        case 11 -> locked(random.nextLong(1_000_000));
        case 12 -> startChild();
        default -> Go.blocking(() -> blockAndMore(random));
      }
      ended.incrementAndGet();
    }

    private void sleepNow(long nanos) throws InterruptedException {
      long start = System.nanoTime();
      Go.sleep(Duration.ofNanos(nanos));
      if (System.nanoTime() - start < nanos) {
        uncaught.add(new AssertionError("early"));
      }
    }

    private void yieldAWhile() {
      for (int i = 0; i < 20; i++) {
        Go.gosched();
        unparkNextParked();
      }
    }

    private void park() {
      ParkedThread spot = new ParkedThread(Thread.currentThread(), new AtomicBoolean());
      parked.add(spot);
      while (!spot.free.get()) {
        LockSupport.park(this);
      }
    }

    private void unparkNextParked() {
      ParkedThread spot = parked.poll();
      if (spot != null) {
        spot.free.set(true);
        LockSupport.unpark(spot.thread);
      }
    }

    private static void compute(long nanos) {
      long end = System.nanoTime() + nanos;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
    }

    private boolean computeInCall(long nanos) {
      compute(nanos);
      unparkNextParked();
      return true;
    }

    private static boolean nativeSleep(long nanos) throws Exception {
      pinned(() -> LockSupport.parkNanos(nanos));
      return true;
    }

    private static void pinned(Task task) throws Exception {
      boolean pinned = VirtualThreads.pin();
      try {
        task.run();
      } finally {
        if (pinned) {
          VirtualThreads.unpin();
        }
      }
    }

    private void locked(long nanos) throws Exception {
      Go.lockThread();
      Go.gosched();
      sleepNow(nanos / 2);
      Go.blocking(() -> nativeSleep(nanos / 4));
      compute(nanos / 4);
      if (nanos % 2 == 0) {
        Go.unlockThread();
        Go.gosched();
      }
    }

    /** A call that parks, which takes the goroutine off its thread, and then blocks again. */
    private boolean blockAndMore(ThreadLocalRandom random) throws Exception {
      unparkNextParked();
      sleepNow(random.nextLong(100_000));
      Go.blocking(() -> nativeSleep(100_000));
      startChild();
      return Go.blocking(() -> computeInCall(10_000));
    }

    private void changeProcs() {
      while (!over.get()) {
        scheduler.procs(1 + ThreadLocalRandom.current().nextInt(procs));
        if (ThreadLocalRandom.current().nextInt(100) == 0) {
          LockSupport.parkNanos(1_000_000);
        }
      }
    }

    private void unparkFromOutside() {
      while (!over.get()) {
        unparkNextParked();
        LockSupport.parkNanos(100_000);
      }
    }

    private void dumpAndReadStats() {
      while (!over.get()) {
        scheduler.dump();
        scheduler.stats();
        LockSupport.parkNanos(20_000_000);
      }
    }
  }
}
