package io.heddle.servers;

import io.heddle.Scheduler;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** The path of Heddle's jar, and the class path of the servers with and without it. */
final class AgentPaths {
  private static final Path HEDDLE = heddle();
  private static final Path JAR = Files.isDirectory(HEDDLE) ? jarFor(HEDDLE) : HEDDLE;

  private AgentPaths() {}

  /** The jar for {@code -javaagent:}. */
  static Path jar() {
    return JAR;
  }

  /** The class path for programs that do not use the library. */
  static String classPathWithout() {
    return classPath(entry -> !Path.of(entry).toAbsolutePath().equals(HEDDLE));
  }

  /** The class path for programs that use the library. */
  static String classPathWith() {
    return classPath(_ -> true);
  }

  private static String classPath(Predicate<String> wanted) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(wanted)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path heddle() {
    try {
      return Path.of(Scheduler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Creates a jar with a manifest that leads to the classes, because {@code mvn test} has no jar.
   */
  private static Path jarFor(Path classes) {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", "io.heddle.agent.Agent");
    attributes.putValue("Can-Retransform-Classes", "true");
    attributes.put(Attributes.Name.CLASS_PATH, classes.toUri().toString());
    try {
      Path jar = Files.createTempFile("heddle", ".jar");
      jar.toFile().deleteOnExit();
      try (OutputStream file = Files.newOutputStream(jar);
          JarOutputStream out = new JarOutputStream(file, manifest)) {
        out.finish();
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
