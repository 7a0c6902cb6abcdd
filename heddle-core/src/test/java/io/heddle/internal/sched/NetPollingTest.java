package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.HangGuard;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.poll.EventFd;
import io.heddle.internal.wait.Sleep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goroutines that wait for descriptors without the agent: they call the hooks that the JDK's
 * sockets would call.
 */
@HangGuard
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
class NetPollingTest {
  private static final int POLLIN = 1;
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final AtomicInteger woken = new AtomicInteger();

  @BeforeAll
  static void prepare() {
    SocketHooks.prepare();
  }

  @Test
  void t2_waitersHoldNoMAndNoPAndOneMPollsForAll() {
    try (EventFds fds = new EventFds(300);
        BareSched bare = new BareSched().procs(2).open()) {
      List<BareSched.BareG> waiters = new ArrayList<>();
      for (EventFd fd : fds.all) {
        waiters.add(bare.go(() -> await(fd, 0)));
      }
      awaitWaiters(bare, 300);
      Await.until(bare.sched().timekeeper::isKeptInPoller);
      bare.awaitIdle();
      Invariants.check(bare.sched());
      assertThat(SchedCounters.of(bare.sched()).threads()).isLessThan(10);
      assertThat(waiters.getFirst().reason()).isEqualTo("IO wait");
      fds.all.forEach(EventFd::signal);
      Await.until(woken::get, 300);
      awaitWaiters(bare, 0);
    }
  }

  /** Otherwise the M that waits in the poller would sleep forever. */
  @Test
  void t2_earlierTimerInterruptsThePoller() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).open()) {
      bare.go(() -> await(fd, 0));
      for (int i = 0; i < 50; i++) {
        Await.until(bare.sched().timekeeper::isKeptInPoller);
        BareSched.BareG sleeper = bare.go(() -> sleep(bare, 100_000));
        sleeper.join();
      }
      fd.signal();
    }
  }

  @Test
  void t2_goroutineReadiedWhileTheOnlyMPollsRuns() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).maxThreads(1).open()) {
      bare.go(() -> await(fd, 0));
      for (int i = 0; i < 200; i++) {
        Await.until(bare.sched().timekeeper::isKeptInPoller); // the M limit is one
        bare.go(() -> {}).join();
      }
      fd.signal();
    }
  }

  @Test
  void t2_timeLimitEndsTheWaitButNotTheNext() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).open()) {
      BareSched.BareG g =
          bare.go(
              () -> {
                for (int i = 0; i < 20; i++) {
                  long start = System.nanoTime();
                  assertThat(SocketHooks.poll(fd, fd.fd(), POLLIN, 200_000, () -> true)).isTrue();
                  if (System.nanoTime() - start >= 200_000) {
                    woken.incrementAndGet();
                  }
                }
                await(fd, HOUR);
              });
      Await.until(woken::get, 20);
      fd.signal();
      g.join();
      assertThat(woken).hasValue(21);
      assertThat(bare.uncaught).isEmpty();
    }
  }

  @Test
  void t2_closeEndsTheWait() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).open()) {
      bare.go(() -> assertThat(SocketHooks.poll(fd, fd.fd(), POLLIN, 0, () -> false)).isTrue())
          .join();
      BareSched.BareG g =
          bare.go(() -> assertThat(SocketHooks.poll(fd, fd.fd(), POLLIN, 0, () -> true)).isTrue());
      while (g.thread().isAlive()) {
        SocketHooks.stop(fd.fd(), 0);
      }
      assertThat(bare.uncaught).isEmpty();
    }
  }

  @Test
  void t2_interruptEndsTheWait() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).open()) {
      BareSched.BareG g = bare.go(() -> SocketHooks.poll(fd, fd.fd(), POLLIN, 0, () -> true));
      awaitWaiters(bare, 1);
      g.thread().interrupt();
      g.join();
    }
  }

  /** All Ms compute, so no M waits in the poller and no M looks for work. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void s7_sysmonPollsWhenNoMDoesAndInjectsReadyGoroutines(int procs) throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(procs).maxThreads(procs).open()) {
      BareSched.BareG waiter = bare.go(() -> await(fd, 0));
      awaitWaiters(bare, 1);
      CountDownLatch computing = new CountDownLatch(procs);
      for (int i = 0; i < procs; i++) {
        bare.go(
            () -> {
              computing.countDown();
              while (computing.getCount() > 0) { // newly started goroutines wait there as well
                Thread.onSpinWait();
              }
              while (SchedCounters.of(bare.sched()).globalQueue() == 0 && woken.get() == 0) {
                Thread.onSpinWait();
              }
            });
      }
      computing.await();
      assertThat(bare.sched().timekeeper.isKept()).isFalse();
      fd.signal();
      waiter.join();
      assertThat(bare.sched().net.latePolls()).isPositive();
    }
  }

  /**
   * The only M runs a goroutine that parks. Then the M looks for work, while no M waits in the
   * poller.
   */
  @Test
  void f2_mThatLooksForWorkPolls() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).maxThreads(1).open()) {
      AtomicLong before = new AtomicLong();
      BareSched.BareG waiter = bare.go(() -> await(fd, 0));
      awaitWaiters(bare, 1);
      BareSched.BareG other =
          bare.go(
              () -> {
                before.set(SchedCounters.of(bare.sched()).netpolls());
                fd.signal();
                while (woken.get() == 0) {
                  LockSupport.park(this);
                }
              });
      waiter.join();
      LockSupport.unpark(other.thread());
      assertThat(SchedCounters.of(bare.sched()).netpolls()).isGreaterThan(before.get());
    }
  }

  /** A park with a native frame or a class initializer on the stack parks the M as well. */
  @Test
  void t2_pinnedWaiterIsWoken() throws Exception {
    try (EventFd fd = new EventFd();
        BareSched bare = new BareSched().procs(1).timeSlice(Duration.ofMillis(10)).open()) {
      BareSched.BareG waiter =
          bare.go(
              () -> {
                boolean pinned = VirtualThreads.pin();
                try {
                  await(fd, 0);
                } finally {
                  if (pinned) {
                    VirtualThreads.unpin();
                  }
                }
              });
      awaitWaiters(bare, 1);
      fd.signal();
      waiter.join();
      assertThat(woken).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void f6_noWakeupIsLostBetweenSocketsTimersAndGoroutines(int procs) {
    int pairs = 40;
    int rounds = 300;
    try (EventFds fds = new EventFds(2 * pairs);
        BareSched bare = new BareSched().procs(procs).timeSlice(Duration.ofMillis(10)).open()) {
      for (int i = 0; i < pairs; i++) {
        EventFd ping = fds.all.get(2 * i);
        EventFd pong = fds.all.get(2 * i + 1);
        int number = i;
        bare.go(() -> play(bare, ping, pong, number, rounds));
        bare.go(() -> play(bare, pong, ping, number + 1, rounds));
        ping.signal();
      }
      Await.until(woken::get, 2 * pairs * rounds);
      Await.until(bare.sched()::goroutines, 0);
      bare.awaitIdle();
      Invariants.check(bare.sched());
      awaitWaiters(bare, 0);
      assertThat(bare.uncaught).isEmpty();
    }
  }

  /** Otherwise a late M would use a closed poller after the system has reused its descriptors. */
  @Test
  void repeatedCloseReleasesThePollerOnce() {
    BareSched bare = new BareSched().procs(1).open();
    bare.close();
    bare.close();
    assertThat(bare.sched().net.retain()).isFalse();
  }

  private void play(BareSched bare, EventFd in, EventFd out, int number, int rounds) {
    for (int i = 0; i < rounds; i++) {
      while (!in.take()) {
        SocketHooks.poll(in, in.fd(), POLLIN, number % 3 == 0 ? 50_000 : 0, () -> true);
      }
      woken.incrementAndGet();
      switch ((number + i) % 7) {
        case 0 -> sleep(bare, 20_000);
        case 1 -> Thread.yield();
        case 2 -> bare.go(() -> {});
        default -> {}
      }
      out.signal();
    }
  }

  /** Reads as a socket does: it tries, waits, and tries again. */
  private void await(EventFd fd, long nanos) {
    while (!fd.take()) {
      assertThat(SocketHooks.poll(fd, fd.fd(), POLLIN, nanos, () -> true)).isTrue();
    }
    woken.incrementAndGet();
  }

  private static void sleep(BareSched bare, long nanos) {
    try {
      Sleep.sleep(bare.sched(), nanos);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitWaiters(BareSched bare, long n) {
    Await.until(bare.sched().net::waiters, n);
  }

  private static final class EventFds implements AutoCloseable {
    final List<EventFd> all = new ArrayList<>();

    EventFds(int n) {
      for (int i = 0; i < n; i++) {
        all.add(new EventFd());
      }
    }

    @Override
    public void close() {
      all.forEach(EventFd::close);
    }
  }
}
