package io.heddle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Another command in the place of this one: by way of the script that started this if there is one, else as a child. */
public final class ProcessReplacement {
  /** Where the script waits for the command, to become it: then no JVM stands in between. */
  private static final String COMMAND_TO = "heddle.command.to";

  private ProcessReplacement() {}

  /** Returns the exit code of this command, or else of the child. */
  public static int run(List<String> command) throws IOException, InterruptedException {
    String to = System.getProperty(COMMAND_TO);
    if (to == null) {
      return ChildProcess.run(command);
    }
    Files.writeString(Path.of(to), ShellWords.of(command));
    return 0;
  }
}
