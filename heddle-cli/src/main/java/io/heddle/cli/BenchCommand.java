package io.heddle.cli;

import io.heddle.cli.run.Library;
import io.heddle.cli.run.Replacement;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
      "All arguments are theirs: 'heddle bench --help' lets them say what there is."
    },
    customSynopsis = "heddle bench [ARGUMENTS]",
    parameterListHeading = "%nArguments:%n")
final class BenchCommand implements Callable<Integer> {
  private static final String JAR = "../../heddle-bench/target/benchmarks.jar";

  private final Screen screen;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ARGUMENTS", arity = "0..*", description = "As they are.")
  private List<String> arguments = new ArrayList<>();

  BenchCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path jar = Library.command().resolveSibling(JAR).normalize();
    if (!Files.isRegularFile(jar)) {
      throw new ParameterException(
          spec.commandLine(),
          "the benchmarks are not here, but in the repository, where './heddle bench' builds them");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(jar.toString());
    command.addAll(arguments);
    return Replacement.run(command);
  }
}
