package io.heddle.cli.run;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the library's jar that programs run with. */
public final class LibraryLocation {
  /** Overrides the search. */
  private static final String PROPERTY = "heddle.jar";

  private LibraryLocation() {}

  /**
   * Returns the jar that the property names, else the one beside the command's jar or in the
   * repository's build folder, else the command's own jar, which contains the library.
   */
  public static Path libraryJar() {
    String told = System.getProperty(PROPERTY);
    if (told != null) {
      return Path.of(told).toAbsolutePath();
    }
    Path self = commandJar();
    return Stream.of("heddle.jar", "../../heddle-core/target/heddle.jar")
        .map(name -> self.resolveSibling(name).normalize())
        .filter(Files::isRegularFile)
        .findFirst()
        .orElse(self);
  }

  /** Returns the jar of the command itself. */
  public static Path commandJar() {
    try {
      return Path.of(
          LibraryLocation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
