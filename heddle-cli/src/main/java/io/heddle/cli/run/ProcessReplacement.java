package io.heddle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs another command in place of this one: through the script that started this JVM if there is
 * one, otherwise as a child process.
 */
public final class ProcessReplacement {
  /**
   * The file from which the script reads the command that it then executes in its place, so that no
   * JVM remains in between.
   */
  private static final String COMMAND_TO = "heddle.command.to";

  private ProcessReplacement() {}

  /** Runs {@code command}. Returns the child's exit code, or 0 if the script runs the command. */
  public static int run(List<String> command) throws IOException, InterruptedException {
    String to = System.getProperty(COMMAND_TO);
    if (to == null) {
      return ChildProcess.run(command);
    }
    Files.writeString(Path.of(to), ShellWords.of(command));
    return 0;
  }
}
