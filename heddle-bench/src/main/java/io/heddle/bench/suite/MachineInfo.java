package io.heddle.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Describes the machine of a run. */
final class MachineInfo {
  private static final double GIB = 1L << 30;

  private MachineInfo() {}

  static String describe() {
    return "%s, %d CPUs, %s of memory, %s %s"
        .formatted(
            field("/proc/cpuinfo", "model name"),
            Runtime.getRuntime().availableProcessors(),
            memory() == 0 ? "an unknown size" : Math.round(memory() / GIB) + " GiB",
            System.getProperty("os.name"),
            System.getProperty("os.version"));
  }

  /** The memory in bytes; 0 if unknown. */
  static long memory() {
    String kib = field("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "");
    return kib.isEmpty() ? 0 : 1024 * Long.parseLong(kib);
  }

  private static String field(String file, String name) {
    try {
      List<String> lines = Files.readAllLines(Path.of(file));
      return lines.stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
