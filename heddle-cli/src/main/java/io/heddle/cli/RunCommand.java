package io.heddle.cli;

import io.heddle.cli.run.JvmCommandLine;
import io.heddle.cli.run.LibraryLocation;
import io.heddle.cli.run.ProcessReplacement;
import io.heddle.cli.run.Program;
import io.heddle.cli.run.ShellWords;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
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

/** {@code heddle run}: builds java's command line from the options and runs it. */
@Command(
    name = "run",
    description = {
      "Runs a Java program with its virtual threads as goroutines.",
      "",
      "The program is a source file (also a compact one), a jar, or with -cp a class. It uses this"
          + " terminal, and its exit code is passed on. An uncaught deadlock ends it with code 2"
          + " and a dump of what each goroutine waits for."
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
      "Unless -J or JDK_JAVA_OPTIONS say otherwise, the program gets the parallel collector and at"
          + " most 60 %% of the memory. Exit codes: the program's own; 2 also for wrong use and for"
          + " a deadlock."
    })
final class RunCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;
  @Mixin private SchedulerOptions scheduler = new SchedulerOptions();

  @Option(
      names = {"-cp", "--class-path", "-classpath"},
      paramLabel = "PATH",
      description = "The program's class path; the program is then a class name.")
  private @Nullable String classPath;

  @Option(
      names = "--adopt",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Make every virtual thread of the program a goroutine; the default. A program that uses"
              + " the library directly is faster with --no-adopt.")
  private boolean adopt;

  @Option(
      names = "--preempt",
      paramLabel = "PREFIX",
      description =
          "Add yield checks to the loops of classes whose names start with PREFIX; separate several"
              + " with commas.")
  private @Nullable String preempt;

  @Option(
      names = "-J",
      paramLabel = "FLAG",
      description = "A flag for the JVM, as in -J-Xmx2g; may be repeated.")
  private List<String> jvmFlags = new ArrayList<>();

  @Option(names = "--print-command", description = "Print the command line and do not run it.")
  private boolean printCommand;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "0..*",
      description =
          "The program and its arguments. Heddle's own options may also follow the program;"
              + " everything after -- belongs to the program.")
  private List<String> words = new ArrayList<>();

  RunCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> command = launch().command();
    warnAboutMisspeltOptions();
    if (printCommand) {
      screen.line(ShellWords.of(command));
      return 0;
    }
    return ProcessReplacement.run(command);
  }

  /**
   * Warns about an argument of the program that differs by one letter from an option of this
   * command, because such an option would be passed to the program silently.
   */
  private void warnAboutMisspeltOptions() {
    Collection<String> options = spec.optionsMap().keySet();
    for (String word : words.subList(1, Math.max(1, words.size() - afterSeparator()))) {
      String name = word.startsWith("--") ? word.split("=", 2)[0] : "";
      List<String> meant = Spelling.oneLetterOff(name, options);
      if (!meant.isEmpty()) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(
            "heddle: warning: '%s' is passed to the program. Did you mean '%s'? With -- before the"
                + " program's arguments there is no warning.%n",
            name, String.join("' or '", meant));
        err.flush();
      }
    }
  }

  /** Returns how many words follow the first {@code --}; these belong to the program. */
  private int afterSeparator() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    int separator = all.indexOf("--");
    return separator < 0 ? 0 : all.size() - separator - 1;
  }

  private JvmCommandLine launch() {
    if (scheduler.lingersWithoutDashboard()) {
      throw wrong("--linger keeps the dashboard's page: give --dashboard, too");
    }
    String problem = scheduler.traceProblem();
    if (problem != null) {
      throw wrong("--trace: " + problem);
    }
    return new JvmCommandLine(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        LibraryLocation.libraryJar(),
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
      throw wrong("the program is missing: give a source file, a jar, or -cp PATH and a class");
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
