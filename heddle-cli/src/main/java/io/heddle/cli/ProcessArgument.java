package io.heddle.cli;

import picocli.CommandLine.Parameters;

/** The argument of the commands that inspect a running process. */
final class ProcessArgument {
  @Parameters(
      paramLabel = "PID",
      converter = Pid.class,
      description = "The process to inspect; without it, the JVMs of this user are listed.")
  private Integer pid;

  int pid() {
    return pid;
  }
}
