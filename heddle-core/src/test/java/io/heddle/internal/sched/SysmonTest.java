package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.CpuTime;
import io.heddle.internal.jdk.VirtualThreads;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Sysmon sleeps when it is not needed, and is awake when it is: rules S1 and F7. */
@HangGuard
class SysmonTest {
  private static final Duration SLICE = Duration.ofMillis(2);

  /** Other tests may have left a thread of the same name. */
  private final Set<Thread> others = Thread.getAllStackTraces().keySet();

  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void s1_sysmonSleepsWhenEveryPIsIdle() throws Exception {
    try (BareSched bare = new BareSched().procs(4).timeSlice(SLICE).open()) {
      for (int i = 1; i <= 1_000; i++) {
        bare.go(runs::incrementAndGet);
      }
      Await.until(runs::get, 1_000);
      awaitAsleep();
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  @Test
  void s1_wokenSysmonRetakesThePOfComputingGoroutine() throws Exception {
    try (BareSched bare = new BareSched().procs(1).timeSlice(SLICE).open()) {
      for (int i = 1; i <= 20; i++) {
        awaitAsleep();
        over.set(false);
        CountDownLatch running = new CountDownLatch(1);
        BareSched.BareG hog = bare.go(() -> compute(running));
        running.await();
        bare.go(runs::incrementAndGet);
        Await.until(runs::get, i);
        over.set(true);
        hog.join();
      }
    }
  }

  /**
   * The goroutine has computed before the call, which must not make sysmon classify it as
   * computing.
   */
  @Test
  void f7_sysmonSleepsWhileGoroutineIsInNativeCode() throws Exception {
    Process cat = new ProcessBuilder("cat").start();
    // The raw stream: the JDK marks reads of the stream above it as blocking.
    try (InputStream in = new FileInputStream("/proc/" + cat.pid() + "/fd/1");
        BareSched bare = new BareSched().procs(2).timeSlice(SLICE).open()) {
      BareSched.BareG reader =
          bare.go(
              () -> {
                computeUntilAsked(bare.sched());
                read(in);
              });
      Await.until(() -> bare.sched().handOffs().count(HandOff.Reason.NATIVE) == 1);
      Await.until(() -> SchedCounters.of(bare.sched()).idleProcs(), 2);
      awaitAsleep();
      assertThat(reader.thread().isAlive()).isTrue();
      bare.go(runs::incrementAndGet).join();
      cat.getOutputStream().write('x');
      cat.getOutputStream().flush();
      reader.join();
      bare.awaitIdle();
      Invariants.check(bare.sched());
    } finally {
      cat.destroyForcibly();
    }
  }

  @Test
  void f7_sysmonSleepsWhileGoroutineIsPinned() throws Exception {
    try (BareSched bare = new BareSched().procs(2).timeSlice(SLICE).open()) {
      BareSched.BareG parked = bare.go(this::parkPinned);
      Await.until(() -> bare.sched().handOffs().count(HandOff.Reason.PINNED) == 1);
      Await.until(() -> SchedCounters.of(bare.sched()).idleProcs(), 2);
      awaitAsleep();
      bare.go(runs::incrementAndGet).join();
      over.set(true);
      LockSupport.unpark(parked.thread());
      parked.join();
      bare.awaitIdle();
      Invariants.check(bare.sched());
    }
  }

  /**
   * Computes until sysmon asks it to yield, and a slice longer, so that sysmon sees CPU time since
   * its last look.
   */
  private static void computeUntilAsked(Sched sched) {
    while (sched.preemptions() == 0) {
      Thread.onSpinWait();
    }
    long start = CpuTime.of(VirtualThreads.carrier());
    while (CpuTime.of(VirtualThreads.carrier()) - start < SLICE.toNanos()) {
      Thread.onSpinWait();
    }
  }

  private void parkPinned() {
    boolean _ = VirtualThreads.pin();
    try {
      while (!over.get()) {
        LockSupport.park();
      }
    } finally {
      VirtualThreads.unpin();
    }
  }

  private void compute(CountDownLatch running) {
    running.countDown();
    while (!over.get()) {
      VirtualThreads.osYield();
    }
  }

  private static void read(InputStream in) {
    try {
      assertThat(in.read()).isEqualTo('x');
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Between two looks sysmon is in TIMED_WAITING, and in WAITING when it sleeps for good. */
  private void awaitAsleep() {
    Await.until(sysmon()::getState, Thread.State.WAITING);
  }

  private Thread sysmon() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !others.contains(thread))
        .filter(thread -> thread.getName().equals("heddle-bare-sysmon"))
        .findFirst()
        .orElseThrow();
  }
}
