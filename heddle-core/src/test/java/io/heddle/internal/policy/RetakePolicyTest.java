package io.heddle.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.jdk.OsThread.RunState;
import io.heddle.internal.policy.RetakePolicy.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The monitor's decision about a P: the table in {@link RetakePolicy}, row by row. */
class RetakePolicyTest {
  private static final long SLICE = 10;

  /** One row: y or n, or - for a value that must not be asked for. */
  @ParameterizedTest
  @CsvSource({
    // blocked, wanted, over, asked, waits for a CPU, computes, work waits, may reach a check
    "y, n, n, -, -, -, -, -, NOTHING",
    "y, y, n, -, -, -, -, -, RETAKE_PINNED",
    "y, -, y, -, -, -, -, -, RETAKE_PINNED",
    "n, -, n, -, -, -, -, -, NOTHING",
    "n, -, y, n, -, -, -, -, ASK",
    "n, -, y, y, y, -, -, -, WAIT_FOR_CPU",
    "n, -, y, y, n, y, n, -, MEASURE_AGAIN",
    "n, -, y, y, n, y, y, y, WAIT_FOR_CHECK",
    "n, -, y, y, n, y, y, n, RETAKE_COMPUTING",
    "n, -, y, y, n, n, -, -, RETAKE_NATIVE",
  })
  void s3_verdictFollowsTheTable(
      char blocked,
      char wanted,
      char over,
      char asked,
      char waitsForCpu,
      char computes,
      char work,
      char check,
      Verdict verdict) {
    Row row = new Row(blocked, wanted, over, asked, waitsForCpu, computes, work, check);
    assertThat(RetakePolicy.decide(row)).isEqualTo(verdict);
  }

  @Test
  void s3_everyCombinationHasOneVerdictAndTheTableNamesThemAll() {
    List<Verdict> seen = new ArrayList<>();
    for (int bits = 0; bits < 1 << 8; bits++) {
      char[] values = new char[8];
      for (int i = 0; i < values.length; i++) {
        values[i] = (bits >> i & 1) == 0 ? 'n' : 'y';
      }
      Row row =
          new Row(
              values[0], values[1], values[2], values[3], values[4], values[5], values[6],
              values[7]);
      Verdict verdict = RetakePolicy.decide(row);
      seen.add(verdict);
      if (verdict.name().startsWith("RETAKE")) {
        assertThat(row.isBlocked() || row.isAsked())
            .as("asked first, unless it is pinned")
            .isTrue();
      }
    }
    assertThat(seen).contains(Verdict.values());
  }

  @ParameterizedTest
  @CsvSource({
    // state, slice so far, procs, cpus, keeps its P
    "CPU, 49, 2, 2, true",
    "CPU, 50, 2, 2, false",
    "CPU, 79, 16, 2, true",
    "CPU, 80, 16, 2, false",
    "SOMETHING_ELSE, 0, 16, 2, false",
    "UNKNOWN, 0, 2, 2, false",
    "UNKNOWN, 19, 4, 2, true",
    "UNKNOWN, 20, 4, 2, false",
  })
  void s3_mThatWaitsForACpuKeepsItsPForALimitedTime(
      RunState state, long soFar, int procs, int cpus, boolean keeps) {
    assertThat(RetakePolicy.waitsForCpu(state, soFar, SLICE, procs, cpus, false)).isEqualTo(keeps);
  }

  private record Row(
      char blocked,
      char wanted,
      char over,
      char asked,
      char waits,
      char computing,
      char work,
      char check)
      implements RetakePolicy.Situation {
    private static boolean value(char c) {
      assertThat(c).as("must not be asked for").isNotEqualTo('-');
      return c == 'y';
    }

    @Override
    public boolean isBlocked() {
      return value(blocked);
    }

    @Override
    public boolean isPWanted() {
      return value(wanted);
    }

    @Override
    public boolean isSliceOver() {
      return value(over);
    }

    @Override
    public boolean isAsked() {
      return value(asked);
    }

    @Override
    public boolean waitsForCpu() {
      return value(waits);
    }

    @Override
    public boolean computes() {
      return value(computing);
    }

    @Override
    public boolean isWorkWaiting() {
      return value(work);
    }

    @Override
    public boolean mayReachCheck() {
      return value(check);
    }
  }
}
