package io.heddle.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A staging repository. A snapshot's files carry the time of their staging in their names; here
 * they go by what follows it, such as {@code -sources.jar}.
 */
record Staging(Path folder) {
  private static final Pattern CHECKSUM = Pattern.compile(".*\\.(md5|sha1|sha256|sha512)");

  static Staging ofThisBuild() {
    return new Staging(Build.ROOT.resolve("target/staging"));
  }

  /** Returns the files of a module, without checksums: what follows the version, and the file. */
  Map<String, Path> filesOf(String module) {
    Pattern named =
        Pattern.compile(
            Pattern.quote(module + "-" + Build.VERSION.replace("-SNAPSHOT", ""))
                + "(-SNAPSHOT|-[0-9.]+-[0-9]+)?([-.].*)");
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all =
        Files.list(folder.resolve("io/heddle/" + module + "/" + Build.VERSION))) {
      for (Path file : all.toList()) {
        var name = named.matcher(file.getFileName().toString());
        if (name.matches() && !CHECKSUM.matcher(name.group()).matches()) {
          files.put(name.group(2), file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  Path file(String module, String suffix) {
    Path file = filesOf(module).get(suffix);
    if (file == null) {
      throw new AssertionError("no " + suffix + " of " + module + " is staged");
    }
    return file;
  }
}
