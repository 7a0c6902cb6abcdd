package io.heddle.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Await;
import io.heddle.Go;
import io.heddle.HangGuard;
import io.heddle.Scheduler;
import io.heddle.internal.cgroup.ContainerLimits;
import io.heddle.internal.sched.Sched;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Schedulers follow limits that the test changes. */
@HangGuard
class ContainerFollowerTest {
  private static final long MEGABYTE = 1L << 20;
  private static final int CPUS = 6;

  private ContainerLimits limits = ContainerLimits.NONE;
  private final ContainerFollower follower =
      new ContainerFollower(() -> limits, () -> CPUS, MEGABYTE);
  private final Scheduler scheduler =
      Scheduler.builder().name("follower").procs(CPUS).maxThreads(300).build();
  private final Sched sched = Sched.of(scheduler);

  @AfterEach
  @HangGuard
  void close() {
    scheduler.close();
  }

  @Test
  void psFollowTheLimitDownAndUp() {
    follower.add(sched, false);
    lookAt(3_000, 9_999);
    assertThat(scheduler.procs()).isEqualTo(3);
    lookAt(200, 9_999);
    assertThat(scheduler.procs()).isOne();
    lookAt(4_500, 9_999);
    assertThat(scheduler.procs()).isEqualTo(5);
    limits = ContainerLimits.NONE;
    follower.look();
    assertThat(scheduler.procs()).isEqualTo(CPUS);
    assertThat(follower.isNeeded()).isTrue();
  }

  @Test
  void sameLimitDoesNotStopTheWorld() {
    follower.add(sched, true);
    lookAt(2_000, 1_000);
    Object ps = sched.allPs();
    lookAt(2_000, 1_000);
    lookAt(1_900, 1_001);
    assertThat(sched.allPs()).as("a change makes new ones").isSameAs(ps);
  }

  @Test
  void numberThatTheProgramSetsStays() {
    follower.add(sched, true);
    scheduler.procs(5);
    assertThat(follower.isNeeded()).isFalse();
    lookAt(2_000, 1_000);
    assertThat(scheduler.procs()).isEqualTo(5);
    assertThat(scheduler.maxThreads()).isEqualTo(300);
  }

  @Test
  void questionForTheNumberChangesNothing() {
    follower.add(sched, false);
    assertThat(scheduler.procs(0)).isEqualTo(CPUS);
    assertThat(follower.isNeeded()).isTrue();
    lookAt(2_000, 1_000);
    assertThat(scheduler.procs()).isEqualTo(2);
  }

  @Test
  void limitOnThreadsFollowsTheMemoryUnlessItIsSet() {
    follower.add(sched, false);
    lookAt(2_000, 512);
    assertThat(scheduler.maxThreads()).as("set by the builder").isEqualTo(300);
    follower.add(sched, true);
    lookAt(2_000, 512);
    assertThat(scheduler.maxThreads()).isEqualTo(256);
    lookAt(2_000, 2_048);
    assertThat(scheduler.maxThreads()).isEqualTo(1_024);
  }

  @Test
  void closedSchedulerIsForgotten() {
    follower.add(sched, true);
    scheduler.close();
    assertThat(follower.isNeeded()).isFalse();
    lookAt(2_000, 1_000);
  }

  @Test
  void goroutinesProceedWhileTheLimitChangesAllTheTime() {
    follower.add(sched, true);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    for (int i = 0; i < 20; i++) {
      scheduler.go(
          () -> {
            while (!over.get()) {
              rounds.incrementAndGet();
              Go.gosched();
            }
          });
    }
    for (int i = 0; i < 300; i++) {
      lookAt(500 + 1_000 * (i % CPUS), 64 + i);
      assertThat(scheduler.procs()).isEqualTo(1 + i % CPUS);
    }
    int before = rounds.get();
    Await.until(() -> rounds.get() > before + 100);
    over.set(true);
  }

  private void lookAt(long milliCpus, long megabytes) {
    OptionalLong none = OptionalLong.empty();
    limits =
        new ContainerLimits(
            OptionalLong.of(milliCpus),
            none,
            none,
            none,
            OptionalLong.of(megabytes * MEGABYTE),
            none,
            none);
    follower.look();
  }
}
