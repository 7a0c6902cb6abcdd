package io.heddle.cli;

import io.heddle.cli.run.Launch;
import io.heddle.cli.run.Library;
import io.heddle.cli.run.Program;
import io.heddle.cli.run.Replacement;
import io.heddle.cli.run.ShellWords;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
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
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisHeading = "%nUsage: ",
    customSynopsis = {
      "heddle run [OPTIONS] FILE.java|app.jar [--] [ARGUMENTS]",
      "       heddle run [OPTIONS] -cp PATH CLASS [--] [ARGUMENTS]"
    },
    descriptionHeading = "%n",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
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

  @Spec private CommandSpec spec;

  @Option(
      names = {"-cp", "--class-path", "-classpath"},
      paramLabel = "PATH",
      description = "Where the classes of the program are; then the program is a class.")
  private @Nullable String classPath;

  @Option(
      names = "--procs",
      paramLabel = "N",
      converter = Procs.class,
      description = "How many goroutines run at the same time: 1 to 1024, else one for each CPU.")
  private @Nullable Integer procs;

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
      names = "--trace",
      paramLabel = "FILE",
      description = "Write a trace of all that the scheduler does, for 'heddle trace FILE'.")
  private @Nullable Path trace;

  @Option(
      names = "--schedtrace",
      paramLabel = "MS",
      converter = Millis.class,
      description = "A line about the scheduler on standard error every so many milliseconds.")
  private @Nullable Integer schedTrace;

  @Option(
      names = "--dashboard",
      paramLabel = "PORT",
      arity = "0..1",
      fallbackValue = "0",
      parameterConsumer = OptionalPort.class,
      description = "A live page about the scheduler on this port, else on a free one.")
  private @Nullable Integer dashboard;

  @Option(
      names = "--linger",
      description =
          "When the program has ended, leave the page of --dashboard, and what goroutines there"
              + " are, until Ctrl-C is pressed.")
  private boolean linger;

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
    if (linger && dashboard == null) {
      throw wrong("--linger leaves the page of --dashboard: give that, too");
    }
    if (trace != null && !canBeWritten(trace)) {
      throw wrong("--trace: '" + trace + "' is no file that can be written");
    }
    return new Launch(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        Library.find(),
        program(),
        words.subList(1, words.size()),
        classPath,
        adopt,
        preempt,
        settings(),
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
      throw wrong(e.getMessage());
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    put(settings, "procs", procs);
    put(settings, "trace", trace);
    put(settings, "schedtrace", schedTrace);
    put(settings, "dashboard", dashboard);
    put(settings, "dashboard.linger", linger ? linger : null);
    return settings;
  }

  private static void put(Map<String, String> settings, String name, @Nullable Object value) {
    if (value != null) {
      settings.put(name, value.toString());
    }
  }

  /** Said before the program begins. */
  private static boolean canBeWritten(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder != null
        && Files.isWritable(Files.exists(file) ? file : folder)
        && !Files.isDirectory(file)
        && Files.isDirectory(folder);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** What the scheduler allows. */
  private static final class Procs extends WholeNumber {
    Procs() {
      super(1, 1024);
    }
  }

  /** Up to a day. */
  private static final class Millis extends WholeNumber {
    Millis() {
      super(1, 86_400_000);
    }
  }

  private static final class Port extends WholeNumber {
    Port() {
      super(0, 65_535);
    }
  }

  /** A number behind the option is its port; anything else is not its own. */
  private static final class OptionalPort implements IParameterConsumer {
    @Override
    public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
      boolean isNumber = !args.isEmpty() && args.peek().matches("[0-9]+");
      try {
        option.setValue(isNumber ? new Port().convert(args.pop()) : Integer.valueOf(0));
      } catch (TypeConversionException e) { // picocli would name the class of it to the user
        throw new ParameterException(
            command.commandLine(),
            "Invalid value for option '--dashboard' (PORT): " + e.getMessage());
      }
    }
  }
}
