package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tenants that are loaded at the same time, and overload control, in adopted programs. */
@HangGuard
class AdoptedOperatingTest {
  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar = HeddleJar.agentIn(dir);
  }

  /** The time slices are so long that hogs on the same Ps would never let the jobs run. */
  @Test
  void hogsOfOneTenantDoNotStarveAnother() throws Exception {
    ChildJvm.Result result =
        child("=adopt=hog-*:hogs(procs=1,timeslice=3600s),job-*:jobs(procs=1,timeslice=3600s)")
            .run("child.Tenants");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("pieces beside hogs 1000\npieces 1000, hogs 4\n");
  }

  @Test
  void hogsStarveJobsOfTheSameTenant() throws Exception {
    ChildJvm.Result result =
        child("=adopt=hog-*:all(procs=1,timeslice=3600s),job-*:all").run("child.Tenants", "starve");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("pieces beside hogs 0\npieces 1000, hogs 4\n");
  }

  @Test
  void overloadedProgramShedsAndRecovers() throws Exception {
    ChildJvm.Result result =
        child("=adopt,procs=1,timeslice=3600s,overload=5ms").run("child.AdoptedOverload");
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            idle admitted
            overloaded scheduler shared is overloaded: goroutines wait for a P, allowed are 5 ms
            recovered, asked in a request on Heddle true
            counted true
            """);
  }

  private static ChildJvm child(String options) {
    return ChildJvm.bare()
        .flags("-javaagent:" + jar + options)
        .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
  }
}
