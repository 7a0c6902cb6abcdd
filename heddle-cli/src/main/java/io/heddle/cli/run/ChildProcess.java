package io.heddle.cli.run;

import java.io.IOException;
import java.util.List;

/** Runs a program as a child process that inherits this JVM's terminal, input and output. */
public final class ChildProcess {
  private ChildProcess() {}

  /**
   * Runs {@code command} until it ends and returns its exit code. If this JVM is asked to end, it
   * ends the child first.
   */
  public static int run(List<String> command) throws IOException, InterruptedException {
    Process child = new ProcessBuilder(command).inheritIO().start();
    Thread ender = new Thread(() -> end(child));
    Runtime.getRuntime().addShutdownHook(ender);
    int exitCode = child.waitFor();
    try {
      Runtime.getRuntime().removeShutdownHook(ender);
    } catch (IllegalStateException e) {
      ender.join(); // a signal is ending both processes
    }
    return exitCode;
  }

  /**
   * Passes a signal on to the child and halts with the child's exit code. A Ctrl-C has already
   * reached the child through the terminal; any other signal has not.
   */
  private static void end(Process child) {
    child.destroy();
    try {
      Runtime.getRuntime().halt(child.waitFor());
    } catch (InterruptedException e) {
      child.destroyForcibly();
    }
  }
}
