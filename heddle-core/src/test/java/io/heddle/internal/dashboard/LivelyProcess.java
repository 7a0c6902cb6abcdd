package io.heddle.internal.dashboard;

import io.heddle.Scheduler;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/** A program with a dashboard in a process of its own, which ends when it is closed. */
final class LivelyProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  /** Starts the program with its dashboard at {@code port}; 0 selects a free port. */
  LivelyProcess(int port) throws Exception {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dheddle.procs=4",
                "-Dheddle.dashboard=" + port,
                "-cp",
                placeOf(Scheduler.class) + File.pathSeparator + placeOf(LivelyProcess.class),
                "child.Lively")
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

  private static String placeOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
