package io.heddle.cli;

import io.heddle.Go;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Runs the command and other programs in separate JVMs, in a folder with a space in its name. */
final class Fixture {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  final Path folder;
  private final Path heddle;

  Fixture(Path temporary) throws IOException {
    folder = Files.createDirectories(temporary.resolve("a folder"));
    heddle = library();
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
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(err().toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("HEDDLE_") || name.endsWith("_JAVA_OPTIONS"));
    return builder.start();
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

  /**
   * The library's jar: the packaged one, or one made here, because tests run before Maven packages
   * it.
   */
  private Path library() throws IOException {
    Path place = place();
    if (!Files.isDirectory(place)) {
      return place;
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", "io.heddle.agent.Agent");
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    Path jar = folder.resolve("heddle.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> files = Files.walk(place)) {
      files
          .filter(path -> path.toString().endsWith(".class"))
          .forEach(path -> add(out, place.relativize(path), path));
    }
    return jar;
  }

  private static void add(JarOutputStream out, Path name, Path file) {
    try {
      out.putNextEntry(new ZipEntry(name.toString().replace(File.separatorChar, '/')));
      Files.copy(file, out);
      out.closeEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path place() {
    try {
      return Path.of(Go.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
