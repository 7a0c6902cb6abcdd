package io.heddle.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The build that these tests belong to, and commands that they run beside it. */
final class Build {
  static final Path ROOT = Path.of(System.getProperty("heddle.release.root"));
  static final Path KEYS = Path.of(System.getProperty("heddle.release.gpg"));
  static final Path LOCAL_REPOSITORY = Path.of(System.getProperty("heddle.release.repository"));
  static final String VERSION = System.getProperty("heddle.release.version");
  static final String JAVA_HOME = System.getProperty("java.home");

  /** The Java that Maven itself runs on, which may be older. */
  private static final String JAVA_OF_MAVEN = System.getProperty("heddle.release.java");

  /** The published modules that are jars. */
  static final List<String> JARS = List.of(System.getProperty("heddle.release.jars").split(","));

  private static final Path MAVEN =
      Path.of(System.getProperty("heddle.release.maven"), "bin", "mvn");
  private static final long PATIENCE_MINUTES = 10;

  private Build() {}

  /** How a command ended, and its output, standard error included. */
  record Result(int exitCode, String output) {
    Result succeeded() {
      if (exitCode != 0) {
        throw new AssertionError("exit code " + exitCode + ":\n" + output);
      }
      return this;
    }
  }

  /** Runs Maven as this build runs, but quietly. */
  static Result maven(Path folder, String... arguments) throws Exception {
    return maven(folder, Map.of("JAVA_HOME", JAVA_OF_MAVEN), arguments);
  }

  static Result maven(Path folder, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(MAVEN.toString(), "-B", "-q"));
    command.addAll(List.of(arguments));
    return run(folder, environment, command.toArray(String[]::new));
  }

  static Result run(Path folder, Map<String, String> environment, String... command)
      throws Exception {
    Path output = Files.createTempFile("release", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("does not end: " + Files.readString(output));
      }
      return new Result(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }

  /** Whether the command is in {@code PATH}. */
  static boolean has(String command) {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isExecutable(Path.of(folder, command))) {
        return true;
      }
    }
    return false;
  }

  /** Makes an empty folder below this module's build folder. */
  static Path emptyFolder(String name) throws IOException {
    Path folder = Path.of("target", name).toAbsolutePath();
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return Files.createDirectories(folder);
  }
}
