package io.heddle;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a program in a JVM of its own, with its own flags: for what happens when a JVM starts and
 * ends.
 */
public final class ChildJvm {
  static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** The outcome of a run. */
  public record Result(int exitCode, String out, String err) {}

  private final List<String> flags = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");
  private Duration timeout = Duration.ofSeconds(50);

  private ChildJvm() {}

  /** Starts with the flag that the library needs. */
  static ChildJvm onClassPath() {
    return bare().flags(OPENS, "-ea", "-cp", classes() + File.pathSeparator + testClasses());
  }

  /** Starts without any flag. */
  static ChildJvm bare() {
    return new ChildJvm();
  }

  static Path classes() {
    return placeOf(Scheduler.class);
  }

  static Path testClasses() {
    return placeOf(ChildJvm.class);
  }

  ChildJvm flags(String... more) {
    Collections.addAll(flags, more);
    return this;
  }

  ChildJvm env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs another JVM than the one of the tests. */
  ChildJvm java(Path executable) {
    java = executable;
    return this;
  }

  /** Sets how long the program may take. */
  ChildJvm within(Duration time) {
    timeout = time;
    return this;
  }

  /** Runs {@code main}, a class or {@code -jar} and a file, with arguments, until it ends. */
  Result run(String... main) throws IOException, InterruptedException {
    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      Process process =
          builder(main).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      return new Result(exitCode(process), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private ProcessBuilder builder(String... main) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(flags);
    Collections.addAll(command, main);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(ChildJvm::changesTheJvm);
    builder.environment().putAll(environment);
    return builder;
  }

  private int exitCode(Process process) throws InterruptedException {
    try {
      if (!process.waitFor(timeout)) {
        throw new AssertionError("the child does not end");
      }
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean changesTheJvm(String variable) {
    return variable.startsWith("HEDDLE_")
        || variable.equals("JDK_JAVA_OPTIONS")
        || variable.equals("JAVA_TOOL_OPTIONS");
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
