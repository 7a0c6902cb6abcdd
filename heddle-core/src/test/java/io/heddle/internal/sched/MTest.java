package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an M counts: slices for sysmon, ticks for the global queue, calls and locks. The M is never
 * started.
 */
@HangGuard
class MTest {
  private final BareSched bare = new BareSched();
  private M m;

  @BeforeEach
  void makeOne() {
    bare.open();
    m = new M(bare.sched(), 99);
  }

  @AfterEach
  @HangGuard
  void close() {
    bare.close();
  }

  @Test
  void f1_every61stTickTakesTheGlobalTurn() {
    int looks = 0;
    for (int tick = 0; tick < 10 * 61; tick++) {
      m.slice.begin();
      looks += m.slice.takeGlobalTurn() ? 1 : 0;
    }
    assertThat(looks).isEqualTo(10);
  }

  @Test
  void q4_runThatInheritsTheSliceDoesNotTick() {
    int tick = m.slice.tick();
    m.startRun(bare.newG(() -> {}));
    assertThat(m.slice.tick()).isEqualTo(tick);
    m.slice.begin();
    assertThat(m.slice.tick()).isEqualTo(tick + 1);
  }

  @Test
  void s3_preemptionIsConsumedOnce() {
    assertThat(m.slice.consumeEnd()).isFalse();
    m.slice.end();
    assertThat(m.slice.consumeEnd()).isTrue();
    assertThat(m.slice.consumeEnd()).isFalse();
  }

  @Test
  void s5_onlyTheOuterCallEntersAndExits() {
    assertThat(m.enterCall()).isTrue();
    assertThat(m.enterCall()).isFalse();
    assertThat(m.exitCall()).isFalse();
    assertThat(m.call.isInside()).isTrue();
    assertThat(m.exitCall()).isTrue();
    assertThat(m.exitCall()).as("of a call that began elsewhere").isFalse();
  }

  @Test
  void g7_locksNest() {
    G g = bare.newG(() -> {});
    m.lock(g);
    m.lock(g);
    assertThat(m.threadLock.unlock()).isTrue();
    assertThat(m.threadLock.holder()).isEqualTo(g);
    assertThat(m.threadLock.unlock()).isTrue();
    assertThat(m.threadLock.holder()).isNull();
    assertThat(m.threadLock.unlock()).as("once more than it was locked").isFalse();
  }
}
