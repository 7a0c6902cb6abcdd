package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.heddle.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM in a real control group, whose limits change while it runs. Skipped where the test may not
 * make groups.
 */
@Tag("full")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerTest {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;
  private static final long PAUSE_NANOS = 50_000_000;

  @TempDir private Path dir;
  private boolean isV2;
  private Path group;
  private Path inner;
  private Path pids;
  private Process process;

  @BeforeEach
  void makeGroups() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two CPUs");
    isV2 = Files.exists(GROUPS.resolve("cgroup.controllers"));
    group = GROUPS.resolve((isV2 ? "" : "cpu/") + "heddle-test-" + ProcessHandle.current().pid());
    inner = group.resolve("inner");
    try {
      Files.createDirectory(group);
      if (isV2) {
        Files.writeString(group.resolve("cgroup.subtree_control"), "+cpu");
      }
      Files.createDirectory(inner);
      setCpus(group, 200);
    } catch (IOException e) {
      abort("control groups with a CPU limit cannot be made here: " + e);
    }
  }

  @AfterEach
  @Timeout(60)
  void removeGroups() throws Exception {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
    remove(inner);
    remove(group);
    if (pids != null) {
      remove(pids);
    }
  }

  @Test
  void psFollowTheLimitOfTheGroupAround() throws Exception {
    ChildJvm child = start("child.InContainer");
    awaitLine(child, "procs 2 ");
    setCpus(group, 100);
    awaitLine(child, "procs 1 ");
    setCpus(group, -1);
    setCpus(inner, 180);
    awaitNth(child, "procs 2 ", 2);
    setCpus(inner, 60);
    awaitNth(child, "procs 1 ", 2);
    assertThat(child.err()).isEmpty();
  }

  @Test
  void numberThatIsSetStaysAndThrottlingShows() throws Exception {
    ChildJvm child = start("-Dheddle.procs=3", "child.InContainer", "hogs");
    awaitLine(child, "procs 3 ");
    setCpus(group, 3); // little, because a busy machine gives the child little anyway
    while (Files.readString(group.resolve("cpu.stat")).contains("nr_throttled 0\n")) {
      assertThat(Thread.interrupted()).isFalse();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    setCpus(group, -1); // so that the child can print it
    awaitLine(child, "throttled in true");
    assertThat(child.out()).startsWith("procs 3 ");
    assertThat(child.out().split("procs", -1)).as("never changed").hasSize(2);
    assertThat(threads()).doesNotContain("heddle-containe");
  }

  @Test
  void settingSwitchesItOff() throws Exception {
    ChildJvm child = start("-Dheddle.container=off", "child.InContainer");
    awaitLine(child, "procs 2 threads 10000");
    assertThat(threads()).doesNotContain("heddle-containe");
  }

  @Test
  void limitOnThreadsFollowsTheLimitOnProcesses() throws Exception {
    makePidsGroup();
    Files.writeString(pids.resolve("pids.max"), "90");
    ChildJvm child = start("child.InContainer");
    awaitLine(child, "procs 2 threads 45\n");
    Files.writeString(pids.resolve("pids.max"), "110");
    awaitLine(child, "procs 2 threads 55\n");
    assertThat(child.err()).isEmpty();
  }

  /** In version 1 a group limits either the CPUs or the processes. */
  private void makePidsGroup() {
    pids = isV2 ? inner : GROUPS.resolve("pids").resolve(group.getFileName());
    try {
      if (isV2) {
        Files.writeString(group.resolve("cgroup.subtree_control"), "+pids");
      } else {
        Files.createDirectory(pids);
      }
    } catch (IOException e) {
      abort("control groups with a limit on processes cannot be made here: " + e);
    }
  }

  private ChildJvm start(String... command) throws IOException {
    String join = "echo $$ > " + inner.resolve("cgroup.procs");
    if (pids != null) {
      join += " && echo $$ > " + pids.resolve("cgroup.procs");
    }
    ChildJvm child = ChildJvm.onClassPath().limits(join).outputTo(dir);
    process = child.start(command);
    return child;
  }

  /** Returns the names of the threads of the child. */
  private String threads() throws IOException {
    StringBuilder names = new StringBuilder();
    try (var tasks = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
      for (Path task : tasks) {
        names.append(Files.readString(task.resolve("comm")));
      }
    }
    return names.toString();
  }

  private void awaitLine(ChildJvm child, String text) throws IOException {
    awaitNth(child, text, 1);
  }

  /** Waits until the child has printed {@code text} {@code n} times. */
  private void awaitNth(ChildJvm child, String text, int n) throws IOException {
    while (child.out().split(text, -1).length <= n) {
      assertThat(Thread.interrupted()).as("%s in %s", text, child.out()).isFalse();
      assertThat(process.isAlive()).as(child.err()).isTrue();
      LockSupport.parkNanos(PAUSE_NANOS); // so that the child gets the CPU
    }
  }

  /** Sets the quota of a group in percent of a CPU; none if it is negative. */
  private void setCpus(Path which, int percent) throws IOException {
    long quota = percent < 0 ? -1 : (long) percent * PERIOD_MICROS / 100;
    if (isV2) {
      Files.writeString(
          which.resolve("cpu.max"), (quota < 0 ? "max" : quota) + " " + PERIOD_MICROS);
    } else {
      Files.writeString(which.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
      Files.writeString(which.resolve("cpu.cfs_quota_us"), Long.toString(quota));
    }
  }

  /** Removes a group, which is possible once the processes in it are gone. */
  private static void remove(Path group) throws IOException {
    while (Files.isDirectory(group)) {
      try {
        Files.delete(group);
      } catch (IOException e) {
        if (Thread.interrupted() || Files.readString(group.resolve("cgroup.procs")).isEmpty()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
