package io.heddle.internal.admit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.internal.base.Duel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The decisions of {@link DelayGate}, with a clock and probes that the test controls. */
class DelayGateTest {
  private static final long TARGET = 100;

  private final Queue<Runnable> probes = new ArrayDeque<>();
  private boolean launchFails;
  private long now = Long.MAX_VALUE - 1_000; // the clock overflows during the test
  private final DelayGate gate = new DelayGate(TARGET, () -> now, this::launch);

  private void launch(Runnable probe) {
    if (launchFails) {
      throw new IllegalStateException("intended");
    }
    probes.add(probe);
  }

  private boolean admitsAfter(long time) {
    now += time;
    return gate.admits();
  }

  private void runProbe() {
    probes.remove().run();
  }

  @Test
  void shortWaitsAdmit() {
    for (int i = 0; i < 50; i++) {
      assertThat(admitsAfter(25)).isTrue();
      now += 75;
      runProbe();
    }
    assertThat(gate.admitted()).isEqualTo(50);
    assertThat(gate.shed()).isZero();
    assertThat(gate.delayNanos()).isEqualTo(75);
  }

  @Test
  void probeThatWaitsTooLongShedsBeforeItRuns() {
    assertThat(admitsAfter(0)).isTrue();
    assertThat(admitsAfter(100)).isTrue();
    assertThat(admitsAfter(1)).isFalse();
    assertThat(gate.delayNanos()).isEqualTo(101);
    assertThat(gate.shed()).isOne();
  }

  @Test
  void sheddingEndsWhenAProbeHasFoundAShortQueue() {
    gate.admits();
    now += 150;
    runProbe();
    assertThat(admitsAfter(0)).as("the last wait was too long; the next probe starts").isFalse();
    assertThat(admitsAfter(10)).isFalse();
    runProbe();
    assertThat(admitsAfter(0)).isTrue();
  }

  @Test
  void longWaitIsForgottenWhenNoWorkWasAskedFor() {
    gate.admits();
    now += 150;
    runProbe();
    assertThat(gate.delayNanos()).isEqualTo(150);
    now += 4 * TARGET;
    assertThat(gate.delayNanos()).isZero();
    assertThat(gate.admits()).isTrue();
  }

  @Test
  void atMostFourProbesPerTargetAndOneAtATime() {
    int launched = 0;
    for (int i = 0; i < 1_000; i++) {
      admitsAfter(1);
      assertThat(probes).hasSizeLessThanOrEqualTo(1);
      if (!probes.isEmpty()) {
        launched++;
        runProbe();
      }
    }
    assertThat(launched).isEqualTo(40);
  }

  @Test
  void probeThatWasJustLaunchedHasNoAgeHoweverLongAgoTheOneBeforeWas() {
    gate.admits();
    runProbe();
    now += 1_000 * TARGET;
    assertThat(gate.tryBegin(now)).as("an asker is about to launch its probe").isTrue();
    assertThat(gate.delayNanos()).as("what another asker sees then").isZero();
    assertThat(gate.admits()).isTrue();
  }

  @Test
  void askersOfAnIdleServerAreAllAdmitted() {
    AtomicLong time = new AtomicLong();
    DelayGate idle = new DelayGate(TARGET, time::get, Runnable::run);
    Duel.fight(
        20_000,
        new Duel.Round() {
          @Override
          public void prepare(int round) {
            time.addAndGet(1_000 * TARGET);
          }

          @Override
          public void left(int round) {
            assertThat(idle.admits()).isTrue();
          }

          @Override
          public void right(int round) {
            left(round);
          }
        });
  }

  @Test
  void failedLaunchIsTriedAgain() {
    launchFails = true;
    assertThatIllegalStateException().isThrownBy(gate::admits).withMessage("intended");
    launchFails = false;
    assertThat(admitsAfter(25)).isTrue();
    assertThat(probes).hasSize(1);
  }
}
