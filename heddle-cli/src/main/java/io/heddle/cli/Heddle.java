package io.heddle.cli;

import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code heddle} command: runs a subcommand; without one it prints the help. */
@Command(
    name = "heddle",
    description = "Goroutines for the JVM: Go's G-P-M scheduler under JDK virtual threads.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      RunCommand.class,
      DemoCommand.class,
      LabCommand.class,
      DumpCommand.class,
      LeaksCommand.class,
      TopCommand.class,
      ProfileCommand.class,
      DoctorCommand.class,
      WatchCommand.class,
      TraceCommand.class,
      ClusterCommand.class,
      BenchCommand.class,
      CompletionCommand.class,
      ManCommand.class,
      HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footer = {"", "Start with:  heddle demo"})
public final class Heddle implements Runnable {
  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  Heddle() {}

  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(run(Screen.ofStandardOutput(), err, args));
  }

  /** Runs one command and returns its exit code: 0 success, 1 failure, 2 wrong use. */
  static int run(Screen screen, PrintWriter err, String... args) {
    Help.Ansi ansi = screen.hasColours() ? Help.Ansi.ON : Help.Ansi.OFF;
    CommandLine heddle = new CommandLine(new Heddle(), new ScreenFactory(screen));
    heddle
        .getSubcommands()
        .forEach((name, command) -> command.setUnmatchedOptionsArePositionalParams(passesOn(name)));
    return heddle
        .setOut(screen.out())
        .setErr(err)
        .setColorScheme(Help.defaultColorScheme(ansi))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, Heddle::path)
        .setExpandAtFiles(false) // an argument that begins with @ belongs to the program
        .setParameterExceptionHandler(new UsageErrorHandler())
        .setExecutionExceptionHandler(Heddle::failed)
        .execute(args);
  }

  /** Whether unknown options of the command belong to the program that it runs. */
  private static boolean passesOn(String command) {
    return command.equals("run") || command.equals("bench");
  }

  private static Path path(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) { // picocli's own message would name the Java class
      throw new TypeConversionException("no file can have this name: " + e.getReason());
    }
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) throws Exception {
    if (!(e instanceof TargetException)) {
      throw e;
    }
    command.getErr().println("heddle: " + e.getMessage());
    command.getErr().flush();
    return ExitCode.SOFTWARE;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
