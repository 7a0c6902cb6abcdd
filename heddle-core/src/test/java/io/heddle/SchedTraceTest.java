package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code heddle.schedtrace}: a line in Go's format for each scheduler. */
@HangGuard
class SchedTraceTest {
  /** The format of Go 1.26. Older versions end after the lengths of the queues. */
  private static final Pattern GO =
      Pattern.compile(
          "SCHED (\\d+)ms: gomaxprocs=(\\d+) idleprocs=\\d+ threads=\\d+ spinningthreads=\\d+"
              + " needspinning=\\d+ idlethreads=\\d+ runqueue=\\d+ \\[ ((\\d+ )+)\\]"
              + " schedticks=\\[ ((\\d+ )+)\\](.*)");

  @Test
  void linesHaveGosFormatAndNameOtherSchedulers() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.schedtrace=20", "-Dheddle.procs=2")
            .run("child.TwoSchedulers");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEmpty();
    List<Matcher> lines = result.err().lines().map(SchedTraceTest::parse).toList();
    assertThat(lines).hasSizeGreaterThan(4);
    assertThat(lines)
        .filteredOn(line -> line.group(7).isEmpty())
        .isNotEmpty()
        .allMatch(line -> line.group(2).equals("2") && words(line.group(3)) == 2);
    assertThat(lines)
        .filteredOn(line -> !line.group(7).isEmpty())
        .isNotEmpty()
        .allMatch(line -> line.group(7).equals(" scheduler=io"))
        .allMatch(line -> line.group(2).equals("3") && words(line.group(5)) == 3);
    assertThat(lines.getFirst().group(1)).isEqualTo("0");
  }

  @Test
  void slicesAreCountedPerP() throws Exception {
    try (Scheduler scheduler = Scheduler.builder().name("ticks").procs(1).build()) {
      scheduler.run(
          () -> {
            for (int i = 0; i < 100; i++) {
              Go.go(() -> {}).join();
              Go.gosched();
            }
          });
      SchedulerBean bean = new SchedulerBean(scheduler);
      // An M from which sysmon has retaken the P adds its slices when it runs again.
      Await.until(() -> bean.getProcs().getFirst().slices() >= 100);
      assertThat(bean.getProcs().getFirst().slices()).isLessThanOrEqualTo(1000);
    }
  }

  @Test
  void nothingIsPrintedByDefault() throws Exception {
    assertThat(ChildJvm.onClassPath().run("child.Hello").err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "often", "1.5", "86400001"})
  void invalidValueIsAnError(String value) throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().env("HEDDLE_SCHEDTRACE", value).run("child.Hello");
    assertThat(result.exitCode()).isOne();
    assertThat(result.err()).contains("HEDDLE_SCHEDTRACE is ", value, "allowed is", "86400000");
  }

  private static Matcher parse(String line) {
    Matcher matcher = GO.matcher(line);
    assertThat(matcher.matches()).as(line).isTrue();
    return matcher;
  }

  private static int words(String text) {
    return text.strip().split(" ").length;
  }
}
