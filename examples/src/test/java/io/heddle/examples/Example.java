package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** An example, run as a user would: in a JVM of its own, with the one flag that the library needs. */
final class Example {
  static final Path SOURCES = Path.of("src", "main", "java").toAbsolutePath();

  /** What came of it. */
  record Result(int exitCode, List<String> out, String err) {
    /** What it printed, if it ended well. */
    List<String> lines() {
      assertThat(this).isEqualTo(new Result(0, out, ""));
      return out;
    }

    /** It was given nonsense, and says so and what is allowed. */
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

  /** One that Maven has compiled. */
  static Example of(String name, String... args) {
    return new Example(classes() + File.pathSeparator + library(), name, args);
  }

  /** One as it is written, in a file. */
  static Example ofSource(Path file, String... args) {
    return new Example(library(), file.toString(), args);
  }

  /** The names of all. */
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

  private static Path classes() {
    return Path.of("target", "classes").toAbsolutePath();
  }

  /** On so many Ps. */
  Example procs(int n) {
    jvm.flags("-Dheddle.procs=" + n);
    return this;
  }

  /** To its end. */
  Result run() throws IOException, InterruptedException {
    ChildJvm.Result result = jvm.run(mainAndArgs);
    return new Result(result.exitCode(), result.out().lines().toList(), result.err());
  }

  /** Without waiting for its end: what it prints and complains is the process's output. */
  Process start() throws IOException {
    return jvm.builder(mainAndArgs).redirectErrorStream(true).start();
  }
}
