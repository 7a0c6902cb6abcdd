package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * All sources of all modules are formatted.
 *
 * <p>This is a test, not a Maven plugin, because google-java-format parses with the javac it runs
 * on: tests run on Java 25, Maven may not.
 */
class FormatTest {
  private final Formatter formatter =
      new Formatter(JavaFormatterOptions.builder().formatJavadoc(false).build());

  @Test
  void everySourceIsFormatted() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("..").toRealPath())) {
      List<Path> unformatted =
          modules
              .map(module -> module.resolve("src"))
              .filter(Files::isDirectory)
              .flatMap(FormatTest::sources)
              .toList()
              .parallelStream()
              .filter(source -> !isFormatted(source))
              .toList();
      assertThat(unformatted)
          .as("to be formatted with: JAVA_HOME=<a JDK 25> mvn spotless:apply")
          .isEmpty();
    }
  }

  private static Stream<Path> sources(Path src) {
    try (Stream<Path> files = Files.walk(src)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isFormatted(Path source) {
    try {
      String text = Files.readString(source);
      return formatter.formatSourceAndFixImports(text).equals(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatterException e) {
      throw new IllegalStateException(source + ": " + e.getMessage(), e);
    }
  }
}
