package io.heddle.cli;

import io.heddle.cli.run.Launch;
import io.heddle.cli.run.Library;
import io.heddle.cli.run.Program;
import io.heddle.cli.run.Replacement;
import io.heddle.cli.run.ShellWords;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code heddle run}: reads the options, makes java's command line of them, and runs that. */
@Command(
    name = "run",
    description = {
      "Runs a Java program with its virtual threads as goroutines.",
      "",
      "The program is a source file (compact ones, too), a jar, or with -cp a class. It has this"
          + " terminal, its exit code is passed on, and a deadlock that nobody catches ends it with"
          + " 2 and a dump of who waits for what."
    },
    customSynopsis = {
      "heddle run [OPTIONS] FILE.java|app.jar [--] [ARGUMENTS]",
      "       heddle run [OPTIONS] -cp PATH CLASS [--] [ARGUMENTS]"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  heddle run examples/src/main/java/PrimeSieve.java 100",
      "  heddle run --procs 4 --schedtrace 1000 app.jar -- --port 8080",
      "  heddle run -J-Xmx2g -cp build/classes com.acme.Main",
      "",
      "Unless -J or JDK_JAVA_OPTIONS say otherwise, the program gets the parallel collector and up"
          + " to 60 %% of the memory. Exit codes: the program's own; 2 also for wrong use and for a"
          + " deadlock."
    })
final class RunCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;
  @Mixin private SchedulerOptions scheduler = new SchedulerOptions();

  @Option(
      names = {"-cp", "--class-path", "-classpath"},
      paramLabel = "PATH",
      description = "Where the classes of the program are; then the program is a class.")
  private @Nullable String classPath;

  @Option(
      names = "--adopt",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Make every virtual thread of the program a goroutine; on unless --no-adopt is given. A"
              + " program that uses the library by itself is faster without.")
  private boolean adopt;

  @Option(
      names = "--preempt",
      paramLabel = "PREFIX",
      description =
          "Let the loops of classes whose names begin so make way; several with commas between"
              + " them.")
  private @Nullable String preempt;

  @Option(
      names = "-J",
      paramLabel = "FLAG",
      description = "A flag for the JVM, as in -J-Xmx2g; again for each further one.")
  private List<String> jvmFlags = new ArrayList<>();

  @Option(names = "--print-command", description = "Only say what would be run.")
  private boolean printCommand;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description =
          "What to run, and its arguments. Options of heddle's own may stand behind the program,"
              + " too; behind -- all is the program's.")
  private List<String> words = new ArrayList<>();

  RunCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> command = launch().command();
    if (printCommand) {
      screen.line(ShellWords.of(command));
      return 0;
    }
    return Replacement.run(command);
  }

  private Launch launch() {
    if (scheduler.lingersForNothing()) {
      throw wrong("--linger leaves the page of --dashboard: give that, too");
    }
    Path lost = scheduler.traceThatCannotBeWritten();
    if (lost != null) {
      throw wrong("--trace: '" + lost + "' is no file that can be written");
    }
    return new Launch(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        Library.find(),
        program(),
        words.subList(1, words.size()),
        classPath,
        adopt,
        preempt,
        scheduler.settings(),
        jvmFlags,
        System.getenv());
  }

  private Program program() {
    if (words.isEmpty()) {
      throw wrong("what to run is missing: a source file, a jar, or -cp PATH and a class");
    }
    String name = words.getFirst();
    if (name.startsWith("-")) {
      throw new UnmatchedArgumentException(spec.commandLine(), List.of(name));
    }
    try {
      return Program.of(name, classPath != null);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
