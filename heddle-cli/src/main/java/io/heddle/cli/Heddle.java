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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code heddle} command: finds the command that is meant, and says what there is when none is. */
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
      TopCommand.class,
      TraceCommand.class,
      BenchCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footer = {"", "Start with:  heddle demo"})
public final class Heddle implements Runnable {
  @Spec private CommandSpec spec;

  /** Made by picocli, which sets the fields. */
  Heddle() {}

  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(run(Screen.ofStandardOutput(), err, args));
  }

  /** Runs one command and returns its exit code: 0 fine, 1 it failed, 2 it was called wrongly. */
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
        .setExpandAtFiles(false) // an argument that begins so is the program's own
        .setParameterExceptionHandler(new WrongUse())
        .setExecutionExceptionHandler(Heddle::failed)
        .execute(args);
  }

  /** Options that these commands do not know are for the program that they run. */
  private static boolean passesOn(String command) {
    return command.equals("run") || command.equals("bench");
  }

  private static Path path(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) { // picocli would name the class of it to the user
      throw new TypeConversionException("no file can have that name: " + e.getReason());
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
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
