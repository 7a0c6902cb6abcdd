package io.heddle.internal.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The defaults that follow from {@link ContainerLimits}. */
class ContainerLimitsTest {
  private static final long MEGABYTE = 1L << 20;

  @ParameterizedTest
  @CsvSource({
    // CPUs of the JVM, thousandths of the quota, CPUs of the set, result
    "8, , , 8",
    "8, 4000, , 4",
    "8, 1500, , 2",
    "8, 1, , 1",
    "8, 2000, 1, 1",
    "8, 9000, 6, 6",
    "2, 64000, 64, 2",
    "1, , , 1",
    "4, 999000000, , 4"
  })
  void psFollowTheLeastOfAll(int ofJvm, Long milliCpus, Long cpuSet, int cpus) {
    assertThat(limits(milliCpus, cpuSet, null, null).cpus(ofJvm)).isEqualTo(cpus);
  }

  @ParameterizedTest
  @CsvSource({
    // MB of the container, MB of the machine, MB of a stack, result
    ", , 1, 10000",
    "512, 16384, 1, 256",
    ", 8192, 1, 4096",
    "512, , 2, 128",
    "64, 8192, 1, 64",
    "1, 1, 8, 64",
    "99999999, 1024, 1, 512",
    ", 999999, 1, 10000"
  })
  void stacksOfAllThreadsTakeHalfOfTheMemory(
      Long container, Long machine, long stack, int threads) {
    assertThat(limits(null, null, container, machine).threads(stack * MEGABYTE)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({
    // limit on processes, MB of the container, result
    "1024, , 512",
    "1024, 512, 256",
    "100, 512, 50",
    "40, , 20",
    "20, , 16",
    "0, , 16",
    "4194304, , 10000"
  })
  void threadsAreHalfOfTheProcesses(long processes, Long container, int threads) {
    OptionalLong none = OptionalLong.empty();
    ContainerLimits limits =
        new ContainerLimits(
            none, none, none, none, of(container, MEGABYTE), none, OptionalLong.of(processes));
    assertThat(limits.threads(MEGABYTE)).isEqualTo(threads);
  }

  @Test
  void emptyLimitIsNone() {
    OptionalLong three = OptionalLong.of(3);
    assertThat(ContainerLimits.least(three, OptionalLong.empty())).isEqualTo(three);
    assertThat(ContainerLimits.least(OptionalLong.empty(), three)).isEqualTo(three);
    assertThat(ContainerLimits.least(OptionalLong.of(2), three)).hasValue(2);
  }

  private static ContainerLimits limits(Long milliCpus, Long cpuSet, Long memory, Long machine) {
    OptionalLong none = OptionalLong.empty();
    return new ContainerLimits(
        of(milliCpus, 1),
        of(cpuSet, 1),
        none,
        none,
        of(memory, MEGABYTE),
        of(machine, MEGABYTE),
        none);
  }

  private static OptionalLong of(Long number, long unit) {
    return number == null ? OptionalLong.empty() : OptionalLong.of(number * unit);
  }
}
