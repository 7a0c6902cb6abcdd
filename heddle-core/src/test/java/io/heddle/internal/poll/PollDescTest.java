package io.heddle.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.base.Duel;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for one descriptor. */
@HangGuard
class PollDescTest {
  private final PollDesc desc = new PollDesc(7, 1, this);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatHappensBeforeSomebodyWaitsIsNotLost(boolean write) {
    assertThat(desc.ready(write)).isTrue();
    assertThat(desc.ready(write)).as("nobody has looked since").isFalse();
    assertThat(desc.enter(write)).isEqualTo(PollDesc.Entry.READY);
    assertThat(desc.enter(write)).isEqualTo(PollDesc.Entry.ENTERED);
  }

  @Test
  void aReaderAndAWriterDoNotMeet() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.ready(true)).isTrue();
    assertThat(desc.enter(true)).as("woken, so it has left").isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(false)).as("still there").isEqualTo(PollDesc.Entry.TAKEN);
  }

  @Test
  void whoHasLeftIsNotWoken() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    desc.leave(false);
    desc.stop(false);
    assertThat(desc.enter(false)).as("a stop leaves nothing").isEqualTo(PollDesc.Entry.ENTERED);
  }

  @Test
  void toForgetWakesBoth() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    desc.forget();
    assertThat(desc.isForgotten()).isTrue();
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    LockSupport.park(); // the permit is there, or this would hang
  }

  /** Whoever waits is woken, or was told that it need not. */
  @Test
  void aWaiterAndAReportThatMeetAreNotLostOnEachOther() {
    Duel.fight(
        20_000,
        new Duel.Round() {
          private volatile PollDesc each = desc;

          @Override
          public void prepare(int round) {
            each = new PollDesc(round, 1, this);
          }

          @Override
          public void left(int round) {
            if (each.enter(false) == PollDesc.Entry.ENTERED) {
              LockSupport.park(this);
              each.leave(false);
            }
          }

          @Override
          public void right(int round) {
            assertThat(each.ready(false)).isTrue();
          }
        });
  }
}
