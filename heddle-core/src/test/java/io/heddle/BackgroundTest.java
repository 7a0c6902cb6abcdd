package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Background work, in a JVM of its own, because its threads keep their low priority. */
@HangGuard
class BackgroundTest {
  @Tag("jdks")
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void backgroundThreadsAloneHaveALowPriority() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().within(Duration.ofSeconds(280)).run("child.InBackground");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            background 19
            normal again true
            wide true
            made in background true
            child 19
            context value cancelled
            own 19 true
            main goroutine fed
            main goroutine deadlocked
            messages beside computing goroutines 3
            """);
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void backgroundGoroutineWakesOneWhoseSchedulerHasNoIdleThread() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath().run("io.heddle.internal.sched.ReadiedFromBackground");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("woken true\n");
  }

  @Test
  void backgroundWorkRunsIfHeddleIsOff() throws Exception {
    ChildJvm.Result result = ChildJvm.onClassPath().env("HEDDLE", "off").run("child.BackgroundOff");
    assertThat(result.out()).isEqualTo("ran on background false\n1 limit\n");
    assertThat(result.exitCode()).isZero();
  }
}
