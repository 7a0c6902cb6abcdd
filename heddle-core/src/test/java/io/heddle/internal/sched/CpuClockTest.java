package io.heddle.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.HangGuard;
import io.heddle.Scheduler;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The exact CPU time of a goroutine whose M the system stops in the middle of a switch. */
@HangGuard
class CpuClockTest {
  private static final long ENOUGH_NANOS = 2_000_000;

  private final long[] times = new long[3];

  @BeforeEach
  void exact() {
    System.setProperty("heddle.cputime", "exact");
  }

  @AfterEach
  void sampled() {
    System.clearProperty("heddle.cputime");
  }

  @Test
  void timeDoesNotGoBackBeforeARunIsCharged() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.go(this::readBeforeInAndAfterASwitch).join();
    }
    assertThat(times[0]).isGreaterThanOrEqualTo(ENOUGH_NANOS);
    assertThat(times).isSorted();
  }

  /** Does in its own M what the end of a run does, and reads the time as an observer would. */
  private void readBeforeInAndAfterASwitch() {
    M m = Objects.requireNonNull(M.ofCaller());
    G g = Objects.requireNonNull(m.current());
    while (g.cpuNanos() < ENOUGH_NANOS) {
      Thread.onSpinWait();
    }
    times[0] = g.cpuNanos();
    m.slots.cpu.beginEnd();
    times[1] = g.cpuNanos();
    m.slots.cpu.end();
    m.slots.cpu.begin(g);
    times[2] = g.cpuNanos();
  }
}
