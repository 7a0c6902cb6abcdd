package io.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the name of this machine's CPU, because figures differ between CPUs. */
final class CpuModel {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final int MOST_LETTERS = 70;

  private CpuModel() {}

  /** The model's name, or the architecture where the operating system does not tell the model. */
  static String name() {
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return nameIn(lines);
    } catch (IOException e) {
      return nameIn(Stream.empty()); // not Linux
    }
  }

  static String nameIn(Stream<String> cpuInfo) {
    String name =
        cpuInfo
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
    return name.substring(0, Math.min(MOST_LETTERS, name.length()));
  }
}
