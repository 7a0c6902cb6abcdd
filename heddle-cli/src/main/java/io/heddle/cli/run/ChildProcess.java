package io.heddle.cli.run;

import java.io.IOException;
import java.util.List;

/** A program as a child of this JVM, with its terminal, its input and its output: who looks sees only the child. */
public final class ChildProcess {
  private ChildProcess() {}

  /** Runs it to its end and returns its exit code. Whoever ends this JVM ends the child first. */
  public static int run(List<String> command) throws IOException, InterruptedException {
    Process child = new ProcessBuilder(command).inheritIO().start();
    Thread ender = new Thread(() -> end(child));
    Runtime.getRuntime().addShutdownHook(ender);
    int exitCode = child.waitFor();
    try {
      Runtime.getRuntime().removeShutdownHook(ender);
    } catch (IllegalStateException e) {
      ender.join(); // a signal ends both
    }
    return exitCode;
  }

  /** A Ctrl-C has reached the child by itself, any other signal has not. Its exit code is the one that counts. */
  private static void end(Process child) {
    child.destroy();
    try {
      Runtime.getRuntime().halt(child.waitFor());
    } catch (InterruptedException e) {
      child.destroyForcibly();
    }
  }
}
