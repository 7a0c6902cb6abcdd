package io.heddle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** What is to be run: a source file, a jar, or a class on a class path. */
public sealed interface Program {
  /** What stands at the end of java's command line, before the arguments. */
  List<String> asArguments();

  /** Whether it comes with a class path of its own, in which the library has to be already. */
  default boolean bringsItsOwnClassPath() {
    return false;
  }

  /**
   * Returns the program that {@code name} means.
   *
   * @throws IllegalArgumentException if there is no such program; the message says what would be one
   */
  static Program of(String name, boolean hasClassPath) {
    if (hasClassPath) {
      return new MainClass(name);
    }
    Path file = file(name);
    if (name.endsWith(".jar")) {
      return new Jar(existing(file, name));
    }
    if (name.endsWith(".java") || Files.isRegularFile(file)) {
      return new Source(existing(file, name));
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is neither a source file (Hello.java) nor a jar (app.jar). For a class say where"
            + " it is: heddle run -cp PATH "
            + name);
  }

  private static Path file(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + name + "' cannot be the name of a file", e);
    }
  }

  private static Path existing(Path file, String name) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no file '" + name + "' in " + Path.of("").toAbsolutePath());
    }
    return file;
  }

  /** Compiled in memory by the launcher; {@code java} finds other files beside it. */
  record Source(Path file) implements Program {
    @Override
    public List<String> asArguments() {
      String name = file.toString();
      return name.endsWith(".java") ? List.of(name) : List.of("--source", release(), name);
    }

    private static String release() {
      return Integer.toString(Runtime.version().feature());
    }
  }

  record Jar(Path file) implements Program {
    @Override
    public List<String> asArguments() {
      return List.of("-jar", file.toString());
    }

    @Override
    public boolean bringsItsOwnClassPath() {
      return true;
    }

    /** Whether the library is in it, or beside it where its manifest says so. */
    boolean hasHeddle() throws IOException {
      try (JarFile jar = new JarFile(file.toFile())) {
        return jar.getEntry("io/heddle/Go.class") != null
            || jar.stream().anyMatch(entry -> isLibrary(entry.getName()))
            || isLibrary(classPath(jar));
      }
    }

    private static @Nullable String classPath(JarFile jar) throws IOException {
      Manifest manifest = jar.getManifest();
      return manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
    }

    private static boolean isLibrary(@Nullable String text) {
      return text != null && text.matches("(?s)(.*[/ ])?heddle(-[0-9][^/ ]*)?\\.jar( .*)?");
    }
  }

  record MainClass(String name) implements Program {
    @Override
    public List<String> asArguments() {
      return List.of(name);
    }
  }
}
