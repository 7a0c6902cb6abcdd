package io.heddle.faults;

import io.heddle.Scheduler;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A program in a separate JVM, which a fault may affect as a whole. */
final class Child {
  static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** The result of the program. */
  record Result(int exitCode, String out, String err) {}

  private final Path dir;
  private final List<String> flags = new ArrayList<>();
  private String limits = "";
  private Duration patience = Duration.ofSeconds(100);

  /** Starts the program with its output in {@code dir}. */
  Child(Path dir) {
    this.dir = dir;
    flags("-ea", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");
    flags("-cp", place(Child.class) + File.pathSeparator + place(Scheduler.class));
  }

  Child flags(String... more) {
    Collections.addAll(flags, more);
    return this;
  }

  /** Starts the program under limits of the shell, as in {@code ulimit -n 64}. */
  Child limits(String commands) {
    limits = commands;
    return this;
  }

  Child within(Duration time) {
    patience = time;
    return this;
  }

  Process start(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    if (!limits.isEmpty()) {
      // Sets the hard limit, too, because a JVM raises the soft limit to it.
      command.addAll(List.of("/bin/sh", "-c", limits + " && exec \"$@\"", "sh"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add(main.getName());
    Collections.addAll(command, args);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder
        .redirectOutput(dir.resolve("out").toFile())
        .redirectError(dir.resolve("err").toFile())
        .start();
  }

  Result run(Class<?> main, String... args) throws Exception {
    return end(start(main, args));
  }

  /** Waits for the program. */
  Result end(Process process) throws Exception {
    try {
      if (!process.waitFor(patience)) {
        new ProcessBuilder("jcmd", Long.toString(process.pid()), "Thread.print")
            .inheritIO()
            .start()
            .waitFor();
        throw new AssertionError("the child does not end: " + out() + err());
      }
      return new Result(process.exitValue(), out(), err());
    } finally {
      process.destroyForcibly();
    }
  }

  String out() throws IOException {
    return Files.readString(dir.resolve("out"));
  }

  String err() throws IOException {
    return Files.readString(dir.resolve("err"));
  }

  /** Packs the library and the agent into one jar, from the class path. */
  static Path heddleJar(Path dir) throws IOException {
    Manifest manifest = manifest("io.heddle.agent.Agent");
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    Path place = place(Scheduler.class);
    if (Files.isRegularFile(place)) {
      return place;
    }
    Path jar = dir.resolve("heddle.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = place.relativize(file).toString();
        if (!name.startsWith("META-INF")) {
          out.putNextEntry(new ZipEntry(name));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
    }
    return jar;
  }

  /** A jar with a manifest that names a class of the class path as the agent. */
  static Path agentJar(Path dir, Class<?> agent) throws IOException {
    Path jar = dir.resolve("agent.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest(agent.getName())).close();
    return jar;
  }

  private static Manifest manifest(String agent) {
    Manifest manifest = new Manifest();
    Map<Object, Object> attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(new Attributes.Name("Premain-Class"), agent);
    return manifest;
  }

  static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
