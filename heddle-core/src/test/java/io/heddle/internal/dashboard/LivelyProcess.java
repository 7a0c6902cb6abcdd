package io.heddle.internal.dashboard;

import io.heddle.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;

/** A program with a dashboard in a process of its own, which ends when it is closed. */
final class LivelyProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  /** Starts the program with its dashboard at {@code port}; 0 selects a free port. */
  LivelyProcess(int port) throws Exception {
    process =
        ChildJvm.onClassPath()
            .flags("-Dheddle.procs=4", "-Dheddle.dashboard=" + port)
            .builder("child.Lively")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String line = firstLine(process.errorReader());
    this.port = Integer.parseInt(line.replaceAll("heddle: dashboard at .*:(\\d+)/", "$1"));
  }

  int port() {
    return port;
  }

  String url() {
    return "http://127.0.0.1:" + port + "/";
  }

  @Override
  public void close() throws Exception {
    process.getOutputStream().close();
    process.destroyForcibly().waitFor();
  }

  private static String firstLine(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    if (line == null) {
      throw new AssertionError("the program ended without output");
    }
    return line;
  }
}
