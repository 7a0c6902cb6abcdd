package io.heddle.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import acme.JettyServer;
import io.heddle.SchedulerMXBean;
import io.heddle.servers.ChildProgram.SchedulerChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An adopted server, under load from this JVM, follows the limits of a real control group and
 * answers all the time. Skipped where the test may not make groups.
 */
@Tag("full")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerUnderLoadTest {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final long PAUSE_NANOS = 50_000_000;

  private final boolean isV2 = Files.exists(GROUPS.resolve("cgroup.controllers"));
  private final String name = "heddle-server-" + ProcessHandle.current().pid();
  private final Path cpu = GROUPS.resolve(isV2 ? name : "cpu/" + name);
  private final Path pids = GROUPS.resolve(isV2 ? name : "pids/" + name);

  @BeforeEach
  void makeGroups() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two CPUs");
    try {
      Files.createDirectory(cpu);
      if (!isV2) {
        Files.createDirectory(pids);
      }
      setCpus(2);
    } catch (IOException e) {
      abort("control groups with limits cannot be made here: " + e);
    }
  }

  @AfterEach
  @Timeout(60)
  void removeGroups() throws IOException {
    remove(cpu);
    remove(pids);
  }

  @Test
  void serverFollowsItsLimitsAndAnswers() throws Exception {
    try (ChildProgram program = ChildProgram.server(SchedulerChoice.ADOPTED, JettyServer.class);
        SharedScheduler remote = SharedScheduler.of(program);
        SteadyLoad load = new SteadyLoad(program)) {
      SchedulerMXBean scheduler = remote.bean();
      int threads = scheduler.getMaxThreads();
      Files.writeString(cpu.resolve("cgroup.procs"), Long.toString(program.pid()));
      Files.writeString(pids.resolve("cgroup.procs"), Long.toString(program.pid()));
      setCpus(1);
      awaitValue(() -> scheduler.getStats().procs(), 1);
      load.awaitTurns(2);
      setCpus(2);
      awaitValue(() -> scheduler.getStats().procs(), 2);
      Files.writeString(pids.resolve("pids.max"), "300");
      awaitValue(() -> scheduler.getMaxThreads(), 150);
      Files.writeString(pids.resolve("pids.max"), "max");
      awaitValue(() -> scheduler.getMaxThreads(), threads);
      load.awaitTurns(2);
    }
  }

  private static void awaitValue(IntSupplier value, int expected) {
    while (value.getAsInt() != expected) {
      assertThat(Thread.interrupted()).as("%s is not %s", value.getAsInt(), expected).isFalse();
      LockSupport.parkNanos(PAUSE_NANOS); // so that the server gets the CPU
    }
  }

  private void setCpus(int n) throws IOException {
    if (isV2) {
      Files.writeString(cpu.resolve("cpu.max"), n + "00000 100000");
    } else {
      Files.writeString(cpu.resolve("cpu.cfs_quota_us"), n + "00000");
    }
  }

  /** Removes a group, which is possible once the process in it is gone. */
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
