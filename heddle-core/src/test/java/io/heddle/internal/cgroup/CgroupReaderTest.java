package io.heddle.internal.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link CgroupReader} on trees of files as Linux shows them. */
class CgroupReaderTest {
  private static final String V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";

  @TempDir private Path root;

  @BeforeEach
  void machine() throws IOException {
    file("proc/self/mountinfo", "23 1 0:22 / / rw - ext4 /dev/vda rw\n" + V2);
    file("proc/meminfo", "MemTotal:        8000000 kB\nMemFree:          500 kB\n");
  }

  @Test
  void version2OfAContainer() throws IOException {
    file("proc/self/cgroup", "0::/\n");
    file("sys/fs/cgroup/cpu.max", "150000 100000\n");
    file("sys/fs/cgroup/cpuset.cpus.effective", "0-3,8\n");
    file("sys/fs/cgroup/memory.max", "536870912\n");
    file("sys/fs/cgroup/pids.max", "200\n");
    file(
        "sys/fs/cgroup/cpu.stat",
        "usage_usec 5\nnr_periods 10\nnr_throttled 7\nthrottled_usec 2500\n");
    assertThat(read())
        .isEqualTo(
            new ContainerLimits(
                OptionalLong.of(1_500),
                OptionalLong.of(5),
                OptionalLong.of(7),
                OptionalLong.of(2_500_000),
                OptionalLong.of(536_870_912),
                OptionalLong.of(8_000_000L << 10),
                OptionalLong.of(200)));
  }

  @Test
  void leastLimitOfNestedGroupsCounts() throws IOException {
    file("proc/self/cgroup", "0::/kubepods/pod1/app\n");
    file("sys/fs/cgroup/kubepods/cpu.max", "400000 100000\n");
    file("sys/fs/cgroup/kubepods/memory.max", "1000\n");
    file("sys/fs/cgroup/kubepods/pod1/cpu.max", "50000 100000\n");
    file("sys/fs/cgroup/kubepods/pod1/cpu.stat", "nr_throttled 3\nthrottled_usec 30\n");
    file("sys/fs/cgroup/kubepods/pod1/app/cpu.max", "max 100000\n");
    file("sys/fs/cgroup/kubepods/pod1/app/cpu.stat", "nr_throttled 2\nthrottled_usec 20\n");
    file("sys/fs/cgroup/kubepods/pod1/app/memory.max", "2000\n");
    file("sys/fs/cgroup/elsewhere/cpu.max", "1000 100000\n");
    ContainerLimits limits = read();
    assertThat(limits.milliCpus()).hasValue(500);
    assertThat(limits.memory()).hasValue(1_000);
    assertThat(limits.throttledPeriods()).hasValue(5);
    assertThat(limits.throttledNanos()).hasValue(50_000);
  }

  @Test
  void version1WithAMountForEachController() throws IOException {
    file(
        "proc/self/mountinfo",
        """
        31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
        34 31 0:31 / /sys/fs/cgroup/cpuset rw shared:9 - cgroup cgroup rw,cpuset
        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
        """);
    file(
        "proc/self/cgroup",
        "5:memory:/a/b\n4:cpuset:/\n3:cpu,cpuacct:/a/b\n1:name=systemd:/x\n0::/\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "20000\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "10000\n");
    file("sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_throttled 1\nthrottled_time 77\n");
    file("sys/fs/cgroup/cpuset/cpuset.effective_cpus", "1\n");
    file("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096\n");
    file("sys/fs/cgroup/unified/cpu.stat", "usage_usec 5\n");
    ContainerLimits limits = read();
    assertThat(limits.milliCpus()).hasValue(2_000);
    assertThat(limits.cpuSet()).hasValue(1);
    assertThat(limits.throttledPeriods()).hasValue(1);
    assertThat(limits.throttledNanos()).hasValue(77);
    assertThat(limits.memory()).hasValue(4_096);
    assertThat(limits.processes()).isEmpty();
  }

  @Test
  void mountOfAPartOfTheHierarchy() throws IOException {
    file(
        "proc/self/mountinfo",
        "30 23 0:26 /docker/ab /sys/fs/my\\040groups rw - cgroup cgroup rw,memory,cpu\n");
    file("proc/self/cgroup", "3:cpu,memory:/docker/ab/inner\n");
    file("sys/fs/my groups/inner/cpu.cfs_quota_us", "100000\n");
    file("sys/fs/my groups/inner/cpu.cfs_period_us", "100000\n");
    file("sys/fs/my groups/memory.limit_in_bytes", "4096\n");
    assertThat(read().milliCpus()).hasValue(1_000);
    assertThat(read().memory()).hasValue(4_096);
    file("proc/self/cgroup", "3:cpu,memory:/docker/another\n");
    assertThat(read().milliCpus()).as("the group is not visible").isEmpty();
    assertThat(read().memory()).as("the mount is").hasValue(4_096);
  }

  @Test
  void groupOutsideOfTheNamespaceIsReadAsItsProcessSeesIt() throws IOException {
    file("proc/12/cgroup", "0::/../neighbour\n");
    file("sys/fs/cgroup/cpu.max", "100000 100000\n");
    file("proc/12/root/sys/fs/cgroup/cpu.max", "300000 100000\n");
    assertThat(new CgroupReader(root, "12").read().milliCpus()).hasValue(3_000);
  }

  @Test
  void readerSeesALimitThatIsLoweredRaisedAndRemovedAndAnotherGroup() throws IOException {
    CgroupReader reader = new CgroupReader(root, "self");
    file("proc/self/cgroup", "0::/a\n");
    file("sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    file("sys/fs/cgroup/b/cpu.max", "700000 100000\n");
    assertThat(reader.read().milliCpus()).hasValue(4_000);
    file("sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    assertThat(reader.read().milliCpus()).hasValue(1_000);
    file("sys/fs/cgroup/a/cpu.max", "600000 100000\n");
    assertThat(reader.read().milliCpus()).hasValue(6_000);
    file("sys/fs/cgroup/a/cpu.max", "max 100000\n");
    assertThat(reader.read().milliCpus()).isEmpty();
    file("proc/self/cgroup", "0::/b\n");
    assertThat(reader.read().milliCpus()).hasValue(7_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "max",
        "max 100000",
        "100000",
        "100000 0",
        "0 100000",
        "x y",
        "-1 100000",
        "99999999999999999999 100000",
        "1e5 1e5",
        "100000 max",
        "\u0000\u0001"
      })
  void garbageIsNoLimit(String garbage) throws IOException {
    file("proc/self/cgroup", "0::/\n");
    for (String name :
        new String[] {"cpu.max", "cpuset.cpus.effective", "memory.max", "pids.max"}) {
      file("sys/fs/cgroup/" + name, name.equals("cpu.max") ? garbage : "x" + garbage);
    }
    file("sys/fs/cgroup/cpu.stat", garbage);
    ContainerLimits limits = read();
    assertThat(limits.milliCpus()).isEmpty();
    assertThat(limits.cpuSet()).isEmpty();
    assertThat(limits.memory()).isEmpty();
    assertThat(limits.processes()).isEmpty();
    assertThat(limits.throttledNanos()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0:", "x", "0::", "::\n:::\n0::relative", "1:cpu:/a\n0::/a"})
  void brokenListOfGroupsIsNoLimit(String groups) throws IOException {
    file("proc/self/cgroup", groups);
    assertThat(read().milliCpus()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "- cgroup2", " - cgroup", "1 2 3 4 5 - cgroup2", "30 23 / - cgroup2 x rw"})
  void brokenListOfMountsIsNoLimit(String mounts) throws IOException {
    file("proc/self/mountinfo", mounts);
    file("proc/self/cgroup", "0::/\n");
    assertThat(read().milliCpus()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0-3,4", "'0-1,4,6-7',5", "3-1,-1", "a-b,-1", "'',-1", "'0, 2\n',2"})
  void listOfCpusIsCounted(String list, long n) throws IOException {
    file("proc/self/cgroup", "0::/\n");
    file("sys/fs/cgroup/cpuset.cpus.effective", list);
    assertThat(read().cpuSet()).isEqualTo(n < 0 ? OptionalLong.empty() : OptionalLong.of(n));
  }

  @Test
  void otherSystemHasNoLimits() {
    assertThat(new CgroupReader(root.resolve("nowhere"), "self").read())
        .isEqualTo(ContainerLimits.NONE);
  }

  private ContainerLimits read() {
    return new CgroupReader(root, "self").read();
  }

  private void file(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
