package io.heddle.internal.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.internal.base.Duel;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The waiters of one descriptor. */
@HangGuard
class PollDescTest {
  private final PollDesc desc = new PollDesc(7, 1, this);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reportBeforeTheWaitIsNotLost(boolean write) {
    assertThat(desc.ready(write)).isTrue();
    assertThat(desc.ready(write)).as("no waiter has consumed it").isFalse();
    assertThat(desc.enter(write)).isEqualTo(PollDesc.Entry.READY);
    assertThat(desc.enter(write)).isEqualTo(PollDesc.Entry.ENTERED);
  }

  @Test
  void readerAndWriterAreIndependent() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.ready(true)).isTrue();
    assertThat(desc.enter(true)).as("woken, so it has left").isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(false)).as("still there").isEqualTo(PollDesc.Entry.TAKEN);
  }

  @Test
  void waiterThatLeftIsNotWoken() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    desc.leave(false);
    desc.stop(false);
    assertThat(desc.enter(false)).as("a stop leaves nothing").isEqualTo(PollDesc.Entry.ENTERED);
  }

  @Test
  void forgetWakesReaderAndWriter() {
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    desc.forget();
    assertThat(desc.isForgotten()).isTrue();
    assertThat(desc.enter(false)).isEqualTo(PollDesc.Entry.ENTERED);
    assertThat(desc.enter(true)).isEqualTo(PollDesc.Entry.ENTERED);
    LockSupport.park(); // both wakeups left a permit, otherwise this hangs
  }

  /** The waiter is woken, or is told that it need not wait. */
  @Test
  void racingReportWakesTheWaiter() {
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
