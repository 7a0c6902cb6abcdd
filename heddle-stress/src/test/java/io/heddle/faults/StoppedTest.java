package io.heddle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The process is suspended and later continued: for it, the clock jumps in the middle of
 * everything.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedTest {
  private static final int TIMES = 2;
  private static final Duration STOPPED = Duration.ofMillis(700);

  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timersSocketsHogsAndChannelsGoOn(boolean withAgent) throws Exception {
    ChildJvm child = FaultyJvm.in(dir);
    child.flags(withAgent ? "-javaagent:" + HeddleJar.agentIn(dir) : ChildJvm.OPENS);
    Process process = child.start(Load.class);
    await(child, process, "running", 1);
    try (OutputStream in = process.getOutputStream()) {
      for (int i = 1; i <= TIMES; i++) {
        signal(process, "STOP");
        Thread.sleep(STOPPED);
        signal(process, "CONT");
        in.write('\n');
        in.flush();
        await(child, process, "alive", i);
      }
    }
    assertIsFine(child.end(process));
  }

  private static void assertIsFine(ChildJvm.Result result) {
    assertThat(result.out()).as(result.err()).contains("closed");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).doesNotContain("deadlock", "error");
  }

  /** Jumps by hours, as if the machine had been asleep or migrated. */
  @Test
  void goroutinesContinueAfterTheClockJumps() throws Exception {
    ChildJvm child = FaultyJvm.in(dir);
    child.flags(ChildJvm.OPENS, "-javaagent:" + FaultyJvm.agentJar(dir, Jump.class));
    Process process = child.start(Load.class);
    try (OutputStream in = process.getOutputStream()) {
      for (int i = 1; i <= 5 * TIMES; i++) {
        in.write('\n');
        in.flush();
        await(child, process, "alive", i);
      }
    }
    assertIsFine(child.end(process));
  }

  private static void signal(Process process, String name) throws Exception {
    int exitCode =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertThat(exitCode).isZero();
  }

  private static void await(ChildJvm child, Process process, String line, int times)
      throws Exception {
    while (child.out().lines().filter(line::equals).count() < times && process.isAlive()) {
      LockSupport.parkNanos(5_000_000);
    }
  }
}
