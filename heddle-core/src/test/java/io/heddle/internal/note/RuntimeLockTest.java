package io.heddle.internal.note;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.internal.base.Duel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of {@link RuntimeLock}. */
@Timeout(60)
class RuntimeLockTest {
  private final AtomicInteger yields = new AtomicInteger();
  private final RuntimeLock lock = new RuntimeLock(this::osYield);

  @Test
  void q5_holderSeesWritesOfThePreviousHolder() {
    int perRound = 10;
    int rounds = 20_000;
    int[] counter = new int[1];
    Duel.fight(
        rounds,
        new Duel.Round() {
          @Override
          public void left(int round) {
            for (int i = 0; i < perRound; i++) {
              lock.lock();
              counter[0]++;
              lock.unlock();
            }
          }

          @Override
          public void right(int round) {
            left(round);
          }
        });
    assertThat(counter[0]).isEqualTo(2 * perRound * rounds);
  }

  @Test
  void q5_waiterYieldsItsCoreInsteadOfParking() throws InterruptedException {
    lock.lock();
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock();
                  lock.unlock();
                });
    while (yields.get() < 1_000) {
      assertThat(waiter.getState()).isIn(Thread.State.NEW, Thread.State.RUNNABLE);
    }
    lock.unlock();
    waiter.join();
  }

  @Test
  void q5_uncontendedLockNeverYields() {
    for (int i = 0; i < 1_000; i++) {
      lock.lock();
      lock.unlock();
    }
    assertThat(yields).hasValue(0);
  }

  @Test
  void q5_unlockOfFreeLockThrows() {
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(AssertionError.class)
        .hasMessage("unlock of a runtime lock that is not held");
  }

  private void osYield() {
    yields.incrementAndGet();
    Thread.yield();
  }
}
