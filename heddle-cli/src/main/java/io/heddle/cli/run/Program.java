package io.heddle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The program to run: a source file, a jar, or a class on a class path. */
public sealed interface Program {
  /** The end of java's command line, before the program's arguments. */
  List<String> asArguments();

  /** Whether the program defines its own class path, which must then contain the library. */
  default boolean hasOwnClassPath() {
    return false;
  }

  /**
   * Returns the program of this name.
   *
   * @throws IllegalArgumentException if there is no such program; the message says what is
   *     accepted
   */
  static Program of(String name, boolean hasClassPath) {
    if (hasClassPath) {
      return new MainClass(name);
    }
    Path file = file(name);
    if (name.endsWith(".jar")) {
      return readable(new Jar(existing(file, name)), name);
    }
    if (name.endsWith(".java") || Files.isRegularFile(file)) {
      return new Source(existing(file, name));
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is neither a source file (Hello.java) nor a jar (app.jar). For a class, give its"
            + " class path: heddle run -cp PATH "
            + name);
  }

  private static Path file(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + name + "' cannot be the name of a file", e);
    }
  }

  private static Jar readable(Jar jar, String name) {
    try {
      boolean _ = jar.hasHeddle();
      return jar;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "'" + name + "' cannot be read as a jar: " + e.getMessage(), e);
    }
  }

  private static Path existing(Path file, String name) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no file '" + name + "' in " + Path.of("").toAbsolutePath());
    }
    return file;
  }

  /** A source file: the launcher compiles it in memory, and finds other source files beside it. */
  record Source(Path file) implements Program {
    @Override
    public List<String> asArguments() {
      String name = file.toString();
      return isNamedJava() ? List.of(name) : List.of("--source", release(), name);
    }

    /** Whether the name alone tells that this is a source file. */
    boolean isNamedJava() {
      return file.toString().endsWith(".java");
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
    public boolean hasOwnClassPath() {
      return true;
    }

    /** Whether the jar contains the library, or its manifest names it. */
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
