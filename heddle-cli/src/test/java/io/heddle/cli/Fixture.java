package io.heddle.cli;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the command and other programs in separate JVMs, in a folder with a space in its name. */
final class Fixture {
  static final String JAVA = ChildJvm.java();

  final Path folder;
  private final Path heddle;

  Fixture(Path temporary) throws IOException {
    folder = Files.createDirectories(temporary.resolve("a folder"));
    heddle = HeddleJar.agentIn(folder);
  }

  /** The library and agent. */
  Path jar() {
    return heddle;
  }

  record Result(int exitCode, String out, String err) {}

  Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Runs the command with these arguments until it ends. */
  Result heddle(String... args) throws Exception {
    return end(startHeddle(args));
  }

  Process startHeddle(String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-Dheddle.jar=" + heddle, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.heddle.cli.Heddle");
    command.addAll(List.of(args));
    return start(command);
  }

  /** A program that uses the library, without the agent. */
  Process startProgram(String file) throws IOException {
    return start(
        List.of(
            JAVA,
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            heddle.toString(),
            folder.resolve(file).toString()));
  }

  Process start(List<String> command) throws IOException {
    return ChildJvm.bare()
        .in(folder)
        .builder()
        .command(command)
        .redirectError(err().toFile())
        .start();
  }

  Result end(Process process) throws Exception {
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end");
    }
    return new Result(process.exitValue(), out, Files.readString(err()));
  }

  /** What the process has written to standard error so far. */
  String said() throws IOException {
    return Files.readString(err());
  }

  private Path err() {
    return folder.resolve("err");
  }
}
