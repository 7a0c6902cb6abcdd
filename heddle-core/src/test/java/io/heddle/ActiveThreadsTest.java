package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads of Heddle are none of the program's: a program may wait until {@link Thread#activeCount}
 * falls.
 */
@HangGuard
class ActiveThreadsTest {
  @TempDir private Path dir;

  @Test
  void libraryAddsNoThreadToTheProgramsGroup() throws Exception {
    assertThat(ChildJvm.onClassPath().run("child.ActiveThreads").out().lines())
        .containsExactly("main");
  }

  @Test
  void traceAndDashboardAddNoThreadToTheProgramsGroup() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.trace=" + dir.resolve("t.bin"), "-Dheddle.schedtrace=1000")
            .flags("-Dheddle.dashboard=0", "-Dheddle.flight=" + dir.resolve("f.bin"))
            .run("child.ActiveThreads");
    assertThat(result.out().lines()).as(result.err()).containsExactly("main");
  }
}
