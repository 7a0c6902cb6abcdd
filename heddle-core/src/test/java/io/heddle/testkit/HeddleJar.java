package io.heddle.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/** Packs a jar of the classes under test, because tests run before Maven packs the real one. */
public final class HeddleJar {
  private final Manifest manifest = new Manifest();

  public HeddleJar() {
    attribute(Attributes.Name.MANIFEST_VERSION.toString(), "1.0");
  }

  public HeddleJar attribute(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
    return this;
  }

  /**
   * The library and agent as one jar: the packed one if the tests run with it, else packed into
   * {@code dir}.
   */
  public static Path agentIn(Path dir) throws IOException {
    Path classes = ChildJvm.classes();
    return Files.isRegularFile(classes)
        ? classes
        : agent("io.heddle.agent.Agent")
            .attribute("Main-Class", "io.heddle.Launch")
            .attribute("Add-Opens", "java.base/java.lang")
            .pack(dir.resolve("heddle.jar"), classes);
  }

  /** A jar that names {@code agent} as the agent, a class that may be on the class path. */
  public static HeddleJar agent(String agent) {
    return new HeddleJar()
        .attribute("Premain-Class", agent)
        .attribute("Can-Retransform-Classes", "true");
  }

  /** Packs the files under {@code roots}. */
  public Path pack(Path jar, Path... roots) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.setLevel(Deflater.NO_COMPRESSION); // the jar is soon deleted
      for (Path root : roots) {
        try (Stream<Path> files = Files.walk(root)) {
          files.filter(Files::isRegularFile).forEach(path -> add(out, root, path));
        }
      }
    }
    return jar;
  }

  private static void add(JarOutputStream out, Path root, Path file) {
    try {
      String name = root.relativize(file).toString().replace('\\', '/');
      if (!name.startsWith("META-INF/") || name.startsWith("META-INF/boot/")) {
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
