package io.heddle.cli;

import io.heddle.cli.attach.JavaProcesses;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports a wrong command line: what is wrong, what may have been meant, and which help to read.
 */
final class UsageErrorHandler implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("heddle: " + message(e));
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' lists what is allowed.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static String message(ParameterException e) {
    if (e instanceof MissingParameterException missing
        && missing.getMissing().stream().anyMatch(each -> each.paramLabel().equals("PID"))) {
      return "the process id is missing. " + JavaProcesses.listOfJvms();
    }
    return e instanceof UnmatchedArgumentException unmatched
        ? unmatched(unmatched.getCommandLine(), unmatched.getUnmatched().getFirst())
        : String.valueOf(e.getMessage());
  }

  private static String unmatched(CommandLine command, String argument) {
    Collection<String> commands = command.getSubcommands().keySet();
    if (argument.startsWith("-")) {
      return noSuch("option", argument, command.getCommandSpec().optionsMap().keySet());
    }
    return noSuch(commands.isEmpty() ? "argument" : "command", argument, commands);
  }

  private static String noSuch(String kind, String argument, Collection<String> known) {
    List<String> meant = Spelling.near(argument, known);
    return "there is no %s '%s'.%s"
        .formatted(
            kind,
            argument,
            meant.isEmpty() ? "" : " Did you mean '" + String.join("' or '", meant) + "'?");
  }
}
