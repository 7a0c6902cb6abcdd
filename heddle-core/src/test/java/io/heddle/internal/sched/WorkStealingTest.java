package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.inspect.Invariants;
import io.heddle.internal.policy.RingWatch;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;
import io.heddle.internal.wait.Parking;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which Ps a thief leaves alone, and for how long: rule F3 and decision 22. */
@HangGuard
class WorkStealingTest {
  private static final int MANY = 64;
  private final AtomicInteger turn = new AtomicInteger();
  private final BareSched.BareG[] ring = new BareSched.BareG[MANY];
  private volatile boolean another;

  /**
   * Goroutines hand over to each other through runNext until another one has run, in a slice that
   * does not end.
   */
  @Test
  void f3_ringBehindHandingOverGoroutinesIsStolenEventually() throws Exception {
    for (int round = 0; round < 20; round++) {
      another = false;
      turn.set(0);
      try (BareSched bare = new BareSched().procs(2).open()) {
        for (int i = 0; i < MANY; i++) {
          int me = i;
          ring[i] = bare.newG(() -> handOver(bare, me));
        }
        for (BareSched.BareG each : ring) {
          bare.sched().start(each);
        }
        for (BareSched.BareG each : ring) {
          each.join();
        }
        bare.awaitIdle();
        Invariants.check(bare.sched());
      }
    }
  }

  private void handOver(BareSched bare, int me) {
    Thread next = ring[(me + 1) % MANY].thread();
    while (!another) {
      while (turn.get() % MANY != me && !another) {
        Parking.park(turn);
      }
      if (turn.incrementAndGet() == 1000) {
        bare.go(() -> another = true);
      }
      Parking.unpark(next);
    }
    Parking.unpark(next);
  }

  @Test
  void ringIsStillSinceTheFirstUnchangedObservation() {
    P first = newP(0);
    P second = newP(1);
    RingWatch watch = new RingWatch();
    assertThat(watch.stillFor(first.number, 1, 7, 1_000)).isZero();
    assertThat(watch.stillFor(second.number, 1, 7, 1_200)).as("another ring").isZero();
    assertThat(watch.stillFor(first.number, 2, 7, 1_500)).isEqualTo(500);
    assertThat(watch.stillFor(second.number, 1, 7, 1_500)).isEqualTo(300);
    assertThat(watch.stillFor(first.number, 1, 8, 2_000)).as("one was taken").isZero();
    assertThat(watch.stillFor(first.number, 1, 8, 2_100)).isEqualTo(100);
    assertThat(watch.stillFor(first.number, 0, 8, 2_200)).as("the ring is empty").isZero();
    assertThat(watch.stillFor(first.number, 1, 8, 2_300)).isEqualTo(100);
    assertThat(watch.stillFor(second.number, 1, 7, 2_300)).isEqualTo(1_100);
  }

  /**
   * A P that switches goroutines is left alone until its ring has not advanced for long. A P with a
   * computing goroutine is not left alone.
   *
   * <p>The victim switches in the pauses of the thief. A thread of its own would have to be on a
   * CPU in the same microseconds as the thief, and on a busy machine it never was.
   */
  @Test
  void switchingPIsLeftAloneForAWhile() {
    try (BareSched bare = new BareSched().procs(1).open()) {
      Victim victim = new Victim(bare);
      assertThat(WorkStealing.isMoving(new RingWatch(), victim.p, () -> {}))
          .as("it computes")
          .isFalse();
      assertThat(WorkStealing.isMoving(new RingWatch(), victim.p, victim::runNext))
          .as("it switches")
          .isTrue();
      RingWatch longAgo = new RingWatch();
      long now = System.nanoTime() - 1_000_000_000;
      assertThat(longAgo.stillFor(0, 1, victim.p.runQueue.headIndex(), now)).isZero();
      assertThat(WorkStealing.isMoving(longAgo, victim.p, victim::runNext))
          .as("it stands still for long")
          .isFalse();
    }
  }

  /**
   * A P with one goroutine in its ring, and its M. JUnit cannot inspect a test class that names M
   * before VirtualThreads is open.
   */
  private static final class Victim {
    final P p = newP(0);
    private final M m;
    private final G g;

    Victim(BareSched bare) {
      m = new M(bare.sched(), 99);
      g = bare.newG(() -> {});
      m.acquireP(p);
      p.runQueue.put(g, false);
    }

    void runNext() {
      m.startRun(g);
    }
  }

  private static P newP(int number) {
    return new P(
        number, new RunQueue<>((first, last, n) -> {}), new TimerHeap(Thread::yield, _ -> {}));
  }
}
