package io.heddle.internal.note;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.Duel;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link Note}. A lost wakeup shows as a test that does not end, hence the timeout.
 */
@Timeout(60)
class NoteTest {
  private final Note note = new Note();

  @Test
  void n1_wakeupBeforeSleepIsNotLost() {
    note.wakeup();

    note.sleep();
    assertThat(note.sleep(0)).isTrue();
    assertThat(note.sleep(Long.MAX_VALUE)).isTrue();
    assertThat(note.hasSleeper()).isFalse();
  }

  @Test
  void n1_wakeupEndsSleep() throws InterruptedException {
    Thread sleeper = startSleeper();

    note.wakeup();
    sleeper.join();
    assertThat(note.hasSleeper()).isFalse();
  }

  @Test
  void n1_wakeupEndsTimedSleep() throws InterruptedException {
    boolean[] woken = new boolean[1];
    Thread sleeper = Thread.ofPlatform().start(() -> woken[0] = note.sleep(Long.MAX_VALUE));
    awaitState(sleeper, Thread.State.TIMED_WAITING);

    note.wakeup();
    sleeper.join();
    assertThat(woken[0]).isTrue();
  }

  @Test
  void n1_clearedNoteCanBeUsedAgain() {
    note.wakeup();
    note.clear();

    assertThat(note.sleep(0)).isFalse();
    note.wakeup();
    note.sleep();
  }

  @Test
  void n1_secondWakeupWithoutClearThrows() {
    note.wakeup();

    assertThatThrownBy(note::wakeup)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("note: a second wakeup without a clear in between");
  }

  @Test
  void n1_secondSleeperThrows() throws InterruptedException {
    Thread sleeper = startSleeper();

    String message = "note: a second sleeper, " + Thread.currentThread() + " beside " + sleeper;
    assertThatThrownBy(note::sleep).isInstanceOf(IllegalStateException.class).hasMessage(message);
    assertThatThrownBy(() -> note.sleep(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(message);
    assertThat(note.hasSleeper()).isTrue();
    note.wakeup();
    sleeper.join();
  }

  /** A goroutine pinned on the thread may have left its permit. */
  @Test
  void n1_strayPermitIsNotAWakeup() {
    LockSupport.unpark(Thread.currentThread());
    assertThat(note.sleep(1)).isFalse();

    Thread sleeper = startSleeper();
    for (int i = 0; i < 100; i++) {
      LockSupport.unpark(sleeper);
    }
    endSleep(sleeper);
  }

  @Test
  void n1_interruptIsNotAWakeup() {
    Thread sleeper = startSleeper();
    sleeper.interrupt();
    while (sleeper.isInterrupted()) {
      Thread.onSpinWait();
    }
    endSleep(sleeper);
  }

  /**
   * Ten thousand uses of one note, each wakeup before, during or after the sleep, and none lost.
   */
  @Test
  void n1_racingWakeupIsNeverLost() {
    int[] letter = new int[1];
    Duel.fight(
        10_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            note.clear();
          }

          @Override
          public void left(int round) {
            note.sleep();
            assertThat(letter[0]).isEqualTo(round);
          }

          @Override
          public void right(int round) {
            letter[0] = round;
            note.wakeup();
          }
        });
  }

  @Test
  void n2_expiredSleepReturnsFalseAndLaterWakeupFindsNoSleeper() {
    for (long nanos : new long[] {Long.MIN_VALUE / 2, -1, 0, 1, 1_000}) {
      note.clear();
      assertThat(note.sleep(nanos)).isFalse();
      assertThat(note.hasSleeper()).isFalse();
      note.wakeup();
      assertThat(note.sleep(nanos)).isTrue();
    }
  }

  /**
   * A timed sleep gives up while the wakeup arrives. Its result tells whether it saw the wakeup,
   * and with it the waker's writes. Every fourth sleep has no time limit and must not give up.
   */
  @Test
  void n2_eitherTheTimeoutOrTheWakeupWins() {
    int[] letter = new int[1];
    Duel.fight(
        100_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            note.clear();
          }

          @Override
          public void left(int round) {
            boolean untimed = (round & 3) == 0;
            if (note.sleep(untimed ? Long.MAX_VALUE : round % 1_000)) {
              assertThat(letter[0]).isEqualTo(round);
            } else {
              assertThat(untimed).isFalse();
            }
          }

          @Override
          public void right(int round) {
            letter[0] = round;
            note.wakeup();
          }

          @Override
          public void judge(int round) {
            assertThat(note.hasSleeper()).isFalse();
            assertThat(note.sleep(0)).isTrue(); // the wakeup stays, whichever side won
          }
        });
  }

  /** Starts a thread that sleeps on the note without a time limit. */
  private Thread startSleeper() {
    Thread sleeper = Thread.ofPlatform().daemon().start(note::sleep);
    awaitState(sleeper, Thread.State.WAITING);
    assertThat(note.hasSleeper()).isTrue();
    return sleeper;
  }

  /**
   * Waits until {@code sleeper} sleeps again, which it does only if it was not woken; then wakes
   * it.
   */
  private void endSleep(Thread sleeper) {
    awaitState(sleeper, Thread.State.WAITING);
    assertThat(note.hasSleeper()).isTrue();
    note.wakeup();
    awaitState(sleeper, Thread.State.TERMINATED);
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }
}
