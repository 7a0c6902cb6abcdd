package io.heddle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the repository, without build output and the directories of tools. */
final class SourceTree {
  private final Path root;

  private SourceTree(Path root) {
    this.root = root;
  }

  /** Tests run in the directory of their module, one level below the root. */
  static SourceTree open() {
    try {
      return new SourceTree(Path.of("..").toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the files whose names end with {@code suffix}, relative to the root, sorted. */
  List<Path> files(String suffix) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .map(root::relativize)
          .filter(file -> isSource(file) && Files.isRegularFile(root.resolve(file)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text(Path file) {
    try {
      return Files.readString(root.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path file) {
    for (Path part : file) {
      if (part.toString().equals("target") || part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }
}
