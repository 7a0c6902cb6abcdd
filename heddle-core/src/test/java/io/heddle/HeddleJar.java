package io.heddle;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Packs a jar of the classes under test, because tests run before Maven packs the real one. */
final class HeddleJar {
  private final Manifest manifest = new Manifest();

  HeddleJar() {
    attribute(Attributes.Name.MANIFEST_VERSION.toString(), "1.0");
  }

  HeddleJar attribute(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
    return this;
  }

  /** Packs the files under {@code roots}. */
  Path pack(Path jar, Path... roots) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
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
      if (!name.startsWith("META-INF")) {
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
