package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  private final ChildJvm jvm;
  private final String[] mainAndArgs;

  private Example(String classPath, String main, String... args) {
    jvm = ChildJvm.bare().flags(ChildJvm.OPENS, "-ea", "-cp", classPath);
    mainAndArgs = Stream.concat(Stream.of(main), Stream.of(args)).toArray(String[]::new);
  }

  /** An example that Maven has compiled. */
  static Example of(String name, String... args) {
    return new Example(classes() + File.pathSeparator + library(name), name, args);
  }

  /** An example as a source file. */
  static Example ofSource(Path file, String... args) {
    return new Example(library(), file.toString(), args);
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
    return ChildJvm.classes().toString();
  }

  /**
   * The class path of an example: the library alone, or for those of a cluster also its modules.
   */
  static String library(String name) {
    return name.startsWith("Cluster") ? System.getProperty("java.class.path") : library();
  }

  private static Path classes() {
    return Path.of("target", "classes").toAbsolutePath();
  }

  /** Sets the number of Ps. */
  Example procs(int n) {
    jvm.flags("-Dheddle.procs=" + n);
    return this;
  }

  /** Runs it until it ends. */
  Result run() throws IOException, InterruptedException {
    ChildJvm.Result result = jvm.run(mainAndArgs);
    return new Result(result.exitCode(), result.out().lines().toList(), result.err());
  }

  /** Starts it; its standard output and error are the process's output. */
  Process start() throws IOException {
    return jvm.builder(mainAndArgs).redirectErrorStream(true).start();
  }
}
