package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sockets under stress: no descriptor, goroutine or timer leaks, and no wakeup is lost.
 * {@code -Dheddle.churn.seconds} and {@code -Dheddle.churn.connections} make it longer and wider.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the JDK's own pollers stay in use")
class SocketChurnTest {
  private static final int SECONDS = Integer.getInteger("heddle.churn.seconds", 6) / 3;
  private static final int CONNECTIONS = Integer.getInteger("heddle.churn.connections", 300);

  @TempDir private Path dir;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void t2_nothingLeaksOnTwoPs() throws Exception {
    t2_nothingLeaksAndNoWakeupIsLost(2);
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void t2_nothingLeaksAndNoWakeupIsLost(int procs) throws Exception {
    Path jar = HeddleJar.agentIn(dir);
    long seed = System.nanoTime();
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-javaagent:" + jar, "-ea")
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar)
            .within(Duration.ofSeconds(120 + SECONDS + CONNECTIONS / 25))
            .run(
                "io.heddle.internal.sched.SocketChurn",
                String.valueOf(SECONDS),
                String.valueOf(CONNECTIONS),
                String.valueOf(procs),
                String.valueOf(seed));
    assertThat(result.out())
        .as("seed %d: %s", seed, result.err())
        .isEqualTo(
            """
            lost wakeups 0
            enough was done 1
            goroutines 0
            waiters 0
            timers 0
            descriptors 0
            threads 0
            """);
  }
}
