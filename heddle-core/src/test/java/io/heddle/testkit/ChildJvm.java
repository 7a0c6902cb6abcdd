package io.heddle.testkit;

import io.heddle.Scheduler;
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
import java.util.regex.Pattern;

/**
 * A program in a JVM of its own, with flags of its own: for tests of its start, of its end, and of
 * faults that hit a whole JVM. Variables of the environment that change a JVM, or the settings of
 * Heddle, are not passed on.
 *
 * <p>The tests of all modules use it, from the {@code test-jar} of {@code heddle}.
 */
public final class ChildJvm {
  /** If a run of tests has this property, the programs that it starts have the setting, too. */
  private static final String LEAK_CHECK = "heddle.leakcheck";

  /** What such a check has logged: a line with the time, and the message. */
  private static final Pattern STUCK = Pattern.compile("(?m)^.* StuckChecks report\\R(.*)\\R");

  public static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** What the program printed, and how it ended. */
  public record Result(int exitCode, String out, String err) {}

  private final List<String> flags = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private Duration timeout = Duration.ofSeconds(50);
  private String limits = "";
  private String java = java();
  private Path directory;
  private Path output;
  private boolean banner;

  private ChildJvm() {}

  /** With the flag that the library needs, the library, and its tests. */
  public static ChildJvm onClassPath() {
    return bare().flags(OPENS, "-ea", "-cp", classes() + File.pathSeparator + testClasses());
  }

  /** Without any flag. */
  public static ChildJvm bare() {
    return new ChildJvm();
  }

  /** The library. */
  public static Path classes() {
    return placeOf(Scheduler.class);
  }

  /** This class, and in {@code heddle-core} all tests. */
  public static Path testClasses() {
    return placeOf(ChildJvm.class);
  }

  /** The folder or jar that {@code type} comes from. */
  public static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** The JVM of the tests. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Runs another JVM than the one of the tests. */
  public ChildJvm java(Path executable) {
    java = executable.toString();
    return this;
  }

  public ChildJvm flags(String... more) {
    Collections.addAll(flags, more);
    return this;
  }

  public ChildJvm env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Lets Heddle print its line at the start where it does so by default. */
  public ChildJvm withBanner() {
    banner = true;
    return this;
  }

  /** How long it may take; 50 seconds if nothing is said. */
  public ChildJvm within(Duration time) {
    timeout = time;
    return this;
  }

  /** Its working directory. */
  public ChildJvm in(Path directory) {
    this.directory = directory;
    return this;
  }

  /** Under limits of the shell, as in {@code ulimit -n 64}. */
  public ChildJvm limits(String commands) {
    limits = commands;
    return this;
  }

  /**
   * Its output goes to files in {@code directory}: see {@link #start}, {@link #out} and {@link
   * #err}.
   */
  public ChildJvm outputTo(Path directory) {
    output = directory;
    return this;
  }

  /** Runs {@code main}, a class or a file, with its arguments, to its end. */
  public Result run(String... main) throws IOException, InterruptedException {
    if (output != null) {
      return end(start(main));
    }
    output = Files.createTempDirectory("child");
    try {
      return end(start(main));
    } finally {
      Files.deleteIfExists(output.resolve("out"));
      Files.deleteIfExists(output.resolve("err"));
      Files.delete(output);
      output = null;
    }
  }

  public Result run(Class<?> main, String... args) throws IOException, InterruptedException {
    return run(mainAndArgs(main, args));
  }

  /** Starts it after {@link #outputTo}; {@link #end} waits for it. */
  public Process start(String... main) throws IOException {
    return builder(main)
        .redirectOutput(output.resolve("out").toFile())
        .redirectError(output.resolve("err").toFile())
        .start();
  }

  public Process start(Class<?> main, String... args) throws IOException {
    return start(mainAndArgs(main, args));
  }

  /** Waits for the end; a program that hangs is dumped to this test's output and killed. */
  public Result end(Process process) throws IOException, InterruptedException {
    try {
      if (!process.waitFor(timeout)) {
        dump(process);
        throw new AssertionError("the child does not end: " + out() + err());
      }
      return new Result(process.exitValue(), out(), withoutStuck(err()));
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Moves what a check for deadlocks and leaks has logged to this test's output: many programs lose
   * a goroutine on purpose, and the test compares what else they print.
   */
  private static String withoutStuck(String err) {
    if (System.getProperty(LEAK_CHECK) == null) {
      return err;
    }
    STUCK.matcher(err).results().forEach(r -> System.err.println("in a child: " + r.group(1)));
    return STUCK.matcher(err).replaceAll("");
  }

  /** What it has printed so far. */
  public String out() throws IOException {
    return Files.readString(output.resolve("out"));
  }

  /** What it has printed to standard error so far. */
  public String err() throws IOException {
    return Files.readString(output.resolve("err"));
  }

  /** Its command and environment, for a test that starts and ends it by itself. */
  public ProcessBuilder builder(String... main) {
    List<String> command = new ArrayList<>();
    if (!limits.isEmpty()) {
      // The hard limit, too: a JVM raises the soft one to it.
      command.addAll(List.of("/bin/sh", "-c", limits + " && exec \"$@\"", "sh"));
    }
    command.add(java);
    command.addAll(flags);
    Collections.addAll(command, main);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(ChildJvm::changesTheJvm);
    if (!banner) {
      builder.environment().put("HEDDLE_BANNER", "false"); // tests compare standard error
    }
    String check = System.getProperty(LEAK_CHECK);
    if (check != null) {
      builder.environment().put("HEDDLE_LEAKCHECK", check);
    }
    builder.environment().putAll(environment);
    if (directory != null) {
      builder.directory(directory.toFile());
    }
    return builder;
  }

  private static String[] mainAndArgs(Class<?> main, String... args) {
    List<String> all = new ArrayList<>(List.of(main.getName()));
    Collections.addAll(all, args);
    return all.toArray(String[]::new);
  }

  private static void dump(Process process) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    new ProcessBuilder(jcmd, Long.toString(process.pid()), "Thread.print")
        .inheritIO()
        .start()
        .waitFor();
  }

  private static boolean changesTheJvm(String variable) {
    return variable.equals("HEDDLE")
        || variable.startsWith("HEDDLE_")
        || variable.endsWith("JAVA_OPTIONS")
        || variable.equals("JAVA_TOOL_OPTIONS");
  }
}
