package io.heddle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operating system really refuses threads (rule N4); in ThreadStartFailureTest the test refuses
 * them.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadsRefusedTest {
  private static final int BLOCKED = 100;

  @TempDir private Path dir;

  /**
   * The address space is limited, because that also applies to root: there is room for about forty
   * stacks.
   */
  @Test
  void n4_everyGoroutineRunsWhenOthersReleaseTheirThreads() throws Exception {
    ChildJvm child =
        FaultyJvm.in(dir)
            .limits("export MALLOC_ARENA_MAX=1 && ulimit -v 4000000")
            .flags(ChildJvm.OPENS, "-Xss64m", "-Xmx64m", "-XX:+UseSerialGC", "-Xshare:auto")
            .flags("-XX:CompressedClassSpaceSize=32m", "-XX:ReservedCodeCacheSize=32m");
    Process process = child.start(ManyBlocked.class, Integer.toString(BLOCKED));
    while (!child.err().contains("a thread cannot be started") && process.isAlive()) {
      LockSupport.parkNanos(10_000_000);
    }
    try (OutputStream in = process.getOutputStream()) {
      in.write(new byte[BLOCKED]);
    }
    ChildJvm.Result result = child.end(process);
    assertThat(result.out()).as(result.err()).contains("ended " + BLOCKED, "living 0", "closed");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains("scheduler crowd: a thread cannot be started; goroutines wait for one of the")
        .contains("unable to create native thread");
  }
}
