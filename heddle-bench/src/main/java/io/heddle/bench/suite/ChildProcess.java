package io.heddle.bench.suite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process that ends after its time limit, or with this process, at the latest. */
final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Path errors;
  private final Thread watchdog;
  private final Thread atExit;
  private volatile boolean overdue;

  private ChildProcess(Process process, Path errors, long limitSeconds) {
    this.process = process;
    this.errors = errors;
    out = process.inputReader();
    watchdog = Thread.ofPlatform().daemon().start(() -> endAfter(limitSeconds));
    atExit = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  static ChildProcess start(List<String> command, long limitSeconds) throws IOException {
    Path errors = Files.createTempFile("bench", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new ChildProcess(process, errors, limitSeconds);
  }

  /** Returns the output. Throws {@link IOException} with the reason if the process fails. */
  static List<String> run(List<String> command, long limitSeconds) throws IOException {
    try (ChildProcess child = start(command, limitSeconds)) {
      List<String> lines = new ArrayList<>();
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        lines.add(line);
      }
      child.checkEnd();
      return lines;
    }
  }

  /** Reads a line; null at the end of the output. */
  String readLine() throws IOException {
    try {
      return out.readLine();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the process; throws {@link IOException} if it failed or exceeded its time limit. */
  void checkEnd() throws IOException {
    try {
      int code = process.waitFor();
      if (overdue) {
        throw new IOException("not done within its time limit");
      }
      if (code != 0) {
        throw new IOException("exit code " + code + ": " + lastError());
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  String lastError() throws IOException {
    List<String> lines = Files.readAllLines(errors).stream().filter(l -> !l.isBlank()).toList();
    return lines.stream()
        .filter(
            line -> line.contains("rror") || line.contains("xception") || line.contains("panic"))
        .findFirst()
        .orElse(lines.isEmpty() ? "it printed no error" : lines.getLast())
        .strip();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    watchdog.interrupt();
    Runtime.getRuntime().removeShutdownHook(atExit);
    process.onExit().join();
    Files.deleteIfExists(errors);
  }

  private void endAfter(long seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        overdue = true;
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      // already closed
    }
  }
}
