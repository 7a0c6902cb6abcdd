package io.heddle.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The trace of a program contains what the program did, and every event in it is possible. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TracedProgramsTest {
  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void everyEventIsLegal(Programs program) throws Exception {
    for (int procs : new int[] {1, 2, 8}) {
      TraceData data = program.trace(procs, dir.resolve("t.trace"));

      TraceCheck check = TraceCheck.of(data);
      assertThat(check.errors()).as("%s on %d Ps", program, procs).isEmpty();
      assertThat(check.lost()).isZero();
      assertThat(check.events()).isPositive();
      assertThat(data.isWhole()).isTrue();
      assertThat(data.notes()).isEmpty();
    }
  }

  /**
   * An M that loses its P to a stop of the world reports that late or never: the check once
   * rejected one such trace in twenty.
   */
  @Test
  void everyEventIsLegalInRepeatedRuns() throws Exception {
    for (int round = 0; round < 100; round++) {
      TraceData data = Programs.PROCS.trace(2, dir.resolve("t.trace"));
      assertThat(TraceCheck.of(data).errors()).as("round %d", round).isEmpty();
    }
  }

  @Test
  void everyKindOfEventHappens() throws Exception {
    Set<EventKind> seen = EnumSet.noneOf(EventKind.class);
    for (Programs program : Programs.values()) {
      EventMerge.run(program.trace(2, dir.resolve("t.trace")), e -> seen.add(e.kind));
    }
    Set<EventKind> missing = EnumSet.allOf(EventKind.class);
    missing.removeAll(seen);
    // POLL needs the agent, see RunCommandTest. The others depend on timing: STEAL needs two ready
    // goroutines while an M looks for work, LOST needs a slow disk, PREEMPT and MARKED need luck.
    assertThat(missing)
        .isSubsetOf(
            EventKind.TIME,
            EventKind.POLL,
            EventKind.LOST,
            EventKind.STEAL,
            EventKind.MARKED,
            EventKind.PREEMPT);
  }

  @Test
  void hogLosesItsPByForce() throws Exception {
    Set<EventKind> seen = EnumSet.noneOf(EventKind.class);
    EventMerge.run(Programs.HOGS.trace(1, dir.resolve("t.trace")), e -> seen.add(e.kind));
    assertThat(seen).contains(EventKind.PREEMPT, EventKind.RETAKE, EventKind.LOSE);
  }

  @Test
  void summaryNamesPlacesReasonsAndPs() throws Exception {
    TraceData data = Programs.PING_PONG.trace(1, dir.resolve("t.trace"));
    String text = String.join("\n", SummaryReport.of(data));
    assertThat(text).contains("Programs", "waiting: chan ", "Scheduling latency", "/P0", "Longest");
  }

  @Test
  void threadsOutsideAreNamed() throws Exception {
    TraceData data = Programs.OUTSIDE.trace(2, dir.resolve("t.trace"));
    boolean[] named = new boolean[1];
    EventMerge.run(
        data, e -> named[0] |= e.kind == EventKind.WHO && e.text.startsWith("outsider-"));
    assertThat(named[0]).isTrue();
  }

  @Test
  void goroutineNamesAreRecorded() throws Exception {
    TraceData data = Programs.NAMED.trace(1, dir.resolve("t.trace"));
    boolean[] named = new boolean[1];
    EventMerge.run(data, e -> named[0] |= e.name.equals("worker \"499\" <é>"));
    assertThat(named[0]).isTrue();
  }
}
