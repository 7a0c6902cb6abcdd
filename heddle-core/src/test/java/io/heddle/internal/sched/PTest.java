package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.HangGuard;
import io.heddle.internal.queue.RunQueue;
import io.heddle.internal.timer.TimerHeap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state word of a P: its owner, and what an M finds after its P was taken. */
@HangGuard
class PTest {
  private final P p =
      new P(3, new RunQueue<>((head, tail, n) -> {}), new TimerHeap(Thread::yield, _ -> {}));

  @BeforeEach
  void makeIdle() {
    p.restartIdle();
  }

  @Test
  void idlePIsTakenByOneMUntilReleased() {
    assertThat(p.tryTake()).isTrue();
    assertThat(p.tryTake()).isFalse();
    p.toIdle();
    assertThat(p.isIdle()).isTrue();
    assertThat(p.tryTake()).isTrue();
  }

  @Test
  void everyTakeStartsANewEpoch() {
    p.tryTake();
    long first = p.epoch();
    p.toIdle();
    p.tryTake();
    assertThat(p.epoch()).isGreaterThan(first);
  }

  @Test
  void mEntersAndLeavesWithItsEpoch() {
    p.tryTake();
    p.leave(p.epoch());
    assertThat(p).asString().contains("USER");
    assertThat(p.enter(p.epoch())).isTrue();
    assertThat(p).asString().contains("SCHED");
  }

  @Test
  void mCannotEnterAPOfAnotherM() {
    p.tryTake();
    long old = p.epoch();
    p.toIdle();
    p.tryTake();
    p.leave(p.epoch());
    assertThat(p.enter(old)).isFalse();
    assertThat(p).as("the other M still runs user code").asString().contains("USER");
  }

  @Test
  void p1_pInTheSchedulerCannotBeStopped() {
    p.tryTake();
    assertThat(p.tryStopIdle()).isFalse();
    assertThat(p.tryStopUser()).isFalse();
  }

  @Test
  void p1_pInUserCodeIsStoppedAndReturnedToItsM() {
    p.tryTake();
    long epoch = p.epoch();
    p.leave(epoch);
    assertThat(p.tryStopUser()).isTrue();
    assertThat(p.enter(epoch)).as("while stopped").isFalse();
    assertThat(p.epoch()).as("the claim stays").isEqualTo(epoch);
    assertThat(p.restartWithOwner()).isTrue();
    assertThat(p.tryDisown(epoch)).as("too late").isFalse();
    assertThat(p.enter(epoch)).isTrue();
  }

  @Test
  void p1_disownedPGoesToOtherMs() {
    p.tryTake();
    long epoch = p.epoch();
    p.leave(epoch);
    assertThat(p.tryDisown(epoch)).as("while it runs").isFalse();
    p.tryStopUser();
    assertThat(p.tryDisown(epoch)).isTrue();
    assertThat(p.isStopped()).isTrue();
    assertThat(p.restartWithOwner()).isFalse();
    p.restartIdle();
    assertThat(p.enter(epoch)).isFalse();
    assertThat(p.tryTake()).isTrue();
  }

  @Test
  void p1_stoppedIdlePIsIdleAgain() {
    assertThat(p.tryStopIdle()).isTrue();
    assertThat(p.tryTake()).as("while stopped").isFalse();
    p.restartIdle();
    assertThat(p.tryTake()).isTrue();
  }

  @Test
  void p1_mOfRemovedPFindsItsEpochGone() {
    p.tryTake();
    long epoch = p.epoch();
    p.leave(epoch);
    p.tryStopUser();
    p.toDead();
    assertThat(p.enter(epoch)).isFalse();
    assertThat(p.epoch()).isNotEqualTo(epoch);
    assertThat(p.tryTake()).isFalse();
  }

  @Test
  void illegalTransitionsThrow() {
    assertThatThrownBy(p::toIdle).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> p.leave(p.epoch())).isInstanceOf(AssertionError.class);
    assertThatThrownBy(p::restartWithOwner).isInstanceOf(AssertionError.class);
    assertThatThrownBy(p::toDead).isInstanceOf(AssertionError.class);
  }

  @Test
  void s3_retakenPNoLongerBelongsToItsM() {
    p.tryTake();
    long epoch = p.epoch();
    assertThat(p.tryRetake(epoch)).as("its M is in the scheduler").isFalse();
    p.leave(epoch);
    assertThat(p.epochInUser()).isEqualTo(epoch);
    assertThat(p.tryRetake(epoch)).isTrue();
    assertThat(p.tryRetake(epoch)).as("once").isFalse();
    assertThat(p.enter(epoch)).as("its M finds that it has lost it").isFalse();
    assertThat(p.epoch()).isGreaterThan(epoch);
    assertThat(p.epochInUser()).isNegative();
  }

  @Test
  void toStringHasNumberStateAndQueue() {
    assertThat(p).hasToString("P3(IDLE, epoch 0, 0 queued)");
  }
}
