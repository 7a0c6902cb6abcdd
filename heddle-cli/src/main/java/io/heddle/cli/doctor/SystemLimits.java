package io.heddle.cli.doctor;

import io.heddle.internal.cgroup.CgroupReader;
import io.heddle.internal.cgroup.ContainerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What the operating system and the container allow a process, as far as Linux tells. A value that
 * is not known, or not limited, is empty.
 *
 * @param threads the number of threads that the process has
 * @param maxThreads the number that it, its user or its container may have
 * @param processes the number of processes and threads that the container may have
 * @param milliCpus the CPU time that the container may use, in thousandths of a CPU
 * @param throttled how often the container had used it up
 * @param memory the bytes that the container may use
 * @param machineMemory the bytes of the machine
 */
public record SystemLimits(
    OptionalLong threads,
    OptionalLong maxThreads,
    OptionalLong processes,
    OptionalLong milliCpus,
    OptionalLong throttled,
    OptionalLong memory,
    OptionalLong machineMemory) {

  /** Reads what {@code /proc} and the control groups say about a process. */
  static SystemLimits of(long pid) {
    Path proc = Path.of("/proc", Long.toString(pid));
    ContainerLimits container = new CgroupReader(Path.of("/"), Long.toString(pid)).read();
    return new SystemLimits(
        number(lineOf(proc.resolve("status"), "Threads:")),
        ContainerLimits.least(
            number(lineOf(proc.resolve("limits"), "Max processes")), container.processes()),
        container.processes(),
        container.milliCpus(),
        container.throttledPeriods(),
        container.memory(),
        container.machineMemory());
  }

  static SystemLimits unknown() {
    OptionalLong none = OptionalLong.empty();
    return new SystemLimits(none, none, none, none, none, none, none);
  }

  /** Returns Heddle's default for the number of threads of a scheduler. */
  int defaultThreads(long stackBytes) {
    OptionalLong none = OptionalLong.empty();
    return new ContainerLimits(none, none, none, none, memory, machineMemory, processes)
        .threads(stackBytes);
  }

  /** Parses the first word; empty unless it is a number. */
  private static OptionalLong number(String text) {
    String word = text.strip().split("\\s+", -1)[0];
    return word.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(word))
        : OptionalLong.empty();
  }

  /** Returns the rest of the line that begins with {@code start}; empty if there is none. */
  private static String lineOf(Path file, String start) {
    return text(file)
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse("");
  }

  private static String text(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return String.join("\n", lines.toList());
    } catch (IOException | RuntimeException e) {
      return ""; // not Linux, another version of control groups, or another user's process
    }
  }
}
