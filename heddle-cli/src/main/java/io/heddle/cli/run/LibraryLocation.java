package io.heddle.cli.run;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where the library is that programs are run with. */
public final class LibraryLocation {
  /** For who keeps it elsewhere. */
  private static final String PROPERTY = "heddle.jar";

  private LibraryLocation() {}

  /** As told; else beside the command's own jar, where a repository has it, or else that jar, which has the library inside. */
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

  /** The jar of the command itself. */
  public static Path commandJar() {
    try {
      return Path.of(
          LibraryLocation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
