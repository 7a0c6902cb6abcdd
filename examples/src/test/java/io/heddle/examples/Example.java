package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.Scheduler;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An example, run in a separate JVM as a user would run it, with the one flag that the library
 * needs.
 */
final class Example {
  static final Path SOURCES = Path.of("src", "main", "java").toAbsolutePath();

  /** The result of a run. */
  record Result(int exitCode, List<String> out, String err) {
    /** Its output; fails unless it exited with 0. */
    List<String> lines() {
      assertThat(this).isEqualTo(new Result(0, out, ""));
      return out;
    }

    /** Checks that a wrong argument was refused with a message that says what is allowed. */
    void isRefused(String message) {
      assertThat(this).isEqualTo(new Result(2, List.of(), message + System.lineSeparator()));
    }
  }

  private final List<String> command = new ArrayList<>();

  private Example(String classPath) {
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Collections.addAll(command, "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-ea");
    Collections.addAll(command, "-cp", classPath);
  }

  /** An example that Maven has compiled. */
  static Example of(String name, String... args) {
    Example example = new Example(classes() + File.pathSeparator + library());
    return example.with(name).with(args);
  }

  /** An example as a source file. */
  static Example ofSource(Path file, String... args) {
    return new Example(library()).with(file.toString()).with(args);
  }

  /** The names of all examples. */
  static List<String> all() {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static String library() {
    try {
      return Path.of(Scheduler.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Path classes() {
    return Path.of("target", "classes").toAbsolutePath();
  }

  /** Sets the number of Ps. */
  Example procs(int n) {
    command.add(1, "-Dheddle.procs=" + n);
    return this;
  }

  /** Runs it until it ends. */
  Result run() throws IOException, InterruptedException {
    Path out = Files.createTempFile("example", ".out");
    Path err = Files.createTempFile("example", ".err");
    Process process = builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      if (!process.waitFor(50, TimeUnit.SECONDS)) {
        throw new AssertionError("does not end: " + command + "\n" + Files.readString(out));
      }
      return new Result(process.exitValue(), Files.readAllLines(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts it; its standard output and error are the process's output. */
  Process start() throws IOException {
    return builder().redirectErrorStream(true).start();
  }

  private Example with(String... more) {
    Collections.addAll(command, more);
    return this;
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(Example::changesTheJvm);
    return builder;
  }

  private static boolean changesTheJvm(String variable) {
    return variable.startsWith("HEDDLE_")
        || variable.equals("JDK_JAVA_OPTIONS")
        || variable.equals("JAVA_TOOL_OPTIONS");
  }
}
