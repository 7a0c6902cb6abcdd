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

/** {@code heddle bench}: runs the benchmarks, which are a jar of their own. */
@Command(
    name = "bench",
    description = {
      "Runs the benchmarks: Heddle beside the JDK's own scheduler and others, in turns.",
      "",
      "All arguments are theirs: 'heddle bench --help' lets them say what there is. Without any,"
          + " all rows are run, which takes up to an hour; --quick five minutes."
    },
    customSynopsis = "heddle bench [ARGUMENTS]",
    parameterListHeading = "%nArguments:%n")
final class BenchCommand implements Callable<Integer> {
  private static final String JAR = "../../heddle-bench/target/benchmarks.jar";

  private static final Set<String> PARTS = Set.of("bench", "channels", "weaving", "waiters");

  private final Screen screen;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARGUMENTS", arity = "0..*", description = "As they are.")
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
          "the benchmarks are not here, but in the repository, where './heddle bench' builds them");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(jar.toString());
    command.addAll(argumentsForJar(arguments));
    return ProcessReplacement.run(command);
  }

  /** Of its parts, the one that has every row is meant, unless another is named or, by a number, asked for. */
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
