package io.heddle.cli;

import picocli.CommandLine.Parameters;

/** The argument of the commands that look at a running process. */
final class ProcessArgument {
  @Parameters(
      paramLabel = "PID",
      converter = Pid.class,
      description = "The process to look at; without it, those that there are are listed.")
  private Integer pid;

  int pid() {
    return pid;
  }
}
