package openjdk.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import openjdk.World;

/** A program in a separate JVM, in the same world as this one. */
public final class Child {
  /** The result of the program. */
  public record Result(int exitCode, String out, String err) {}

  private final List<String> command = new ArrayList<>();

  private Child() {}

  public static Child inThisWorld(String... flags) {
    Child child = new Child();
    child.command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    child.command.addAll(World.current().flags());
    child.command.add("-Dopenjdk.world=" + World.current());
    Collections.addAll(child.command, flags);
    Collections.addAll(child.command, "-cp", classes());
    return child;
  }

  private static String classes() {
    return Path.of(Child.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }

  /** Runs the program until it ends. */
  public Result run(String main, String... args) throws IOException, InterruptedException {
    Path out = Files.createTempFile("child", ".out");
    Path err = Files.createTempFile("child", ".err");
    try {
      Process process =
          builder(main, args).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      try {
        if (!process.waitFor(50, TimeUnit.SECONDS)) {
          throw new AssertionError("the child does not end: " + command);
        }
      } finally {
        process.destroyForcibly();
      }
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts the program; the caller must end it. */
  public ProcessBuilder builder(String main, String... args) {
    List<String> all = new ArrayList<>(command);
    all.add(main);
    Collections.addAll(all, args);
    ProcessBuilder builder = new ProcessBuilder(all);
    builder
        .environment()
        .keySet()
        .removeIf(
            name ->
                name.startsWith("HEDDLE_")
                    || name.endsWith("JAVA_OPTIONS")
                    || name.equals("JAVA_TOOL_OPTIONS"));
    return builder;
  }
}
