package io.heddle.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks a file that a command will write, so that a wrong path is reported before the work. */
final class OutputFile {
  private OutputFile() {}

  /** Says why {@code file} cannot be written, as a clause for a message; null if it can. */
  static @Nullable String problem(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      return "the folder '" + folder + "' does not exist";
    }
    if (folder == null || Files.isDirectory(file)) {
      return "'" + file + "' is a folder";
    }
    boolean isWritable = Files.isWritable(Files.exists(file) ? file : folder);
    return isWritable ? null : "'" + file + "' cannot be written";
  }
}
