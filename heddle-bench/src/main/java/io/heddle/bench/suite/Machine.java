package io.heddle.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where it was measured. */
final class Machine {
  private Machine() {}

  static String describe() {
    return "%s, %d CPUs, %s of memory, %s %s"
        .formatted(
            field("/proc/cpuinfo", "model name"),
            Runtime.getRuntime().availableProcessors(),
            memory(),
            System.getProperty("os.name"),
            System.getProperty("os.version"));
  }

  private static String memory() {
    String kib = field("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "");
    return kib.isEmpty() ? "an unknown size" : Math.round(Long.parseLong(kib) / 1048576.0) + " GiB";
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
