package io.heddle.cli;

import io.heddle.cli.run.LibraryLocation;
import io.heddle.cli.run.ProcessReplacement;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle bench}: runs the benchmarks, which are in a separate jar. */
@Command(
    name = "bench",
    description = {
      "Runs the benchmarks: Heddle, the JDK's own scheduler and other peers take turns.",
      "",
      "All arguments are passed to the benchmarks: 'heddle bench --help' lists them. Without any,"
          + " all rows run, which takes up to an hour; --quick takes five minutes."
    },
    customSynopsis = "heddle bench [ARGUMENTS]",
    parameterListHeading = "%nArguments:%n")
final class BenchCommand implements Callable<Integer> {
  private static final String JAR = "../../heddle-bench/target/benchmarks.jar";

  private static final Set<String> PARTS = Set.of("bench", "channels", "weaving", "waiters");

  private final Screen screen;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARGUMENTS", arity = "0..*", description = "Passed on unchanged.")
  private List<String> arguments = new ArrayList<>();

  BenchCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path jar = LibraryLocation.commandJar().resolveSibling(JAR).normalize();
    if (!Files.isRegularFile(jar)) {
      throw new ParameterException(
          spec.commandLine(),
          "the benchmarks are not beside this jar: './heddle bench' in the repository builds them");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(jar.toString());
    command.addAll(argumentsForJar(arguments));
    return ProcessReplacement.run(command);
  }

  /**
   * Prepends {@code bench}, the part of the jar that runs all rows, unless the first argument names
   * a part or is a number, which the JMH report takes.
   */
  static List<String> argumentsForJar(List<String> arguments) {
    String first = arguments.isEmpty() ? "" : arguments.getFirst();
    if (PARTS.contains(first) || first.matches("[0-9]+")) {
      return arguments;
    }
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(arguments);
    return all;
  }
}
