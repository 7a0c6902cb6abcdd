package io.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties that every example must have. */
@Timeout(60)
class ExamplesTest {
  @Test
  void examplesAreThePromisedOnes() {
    assertThat(Example.all())
        .contains("PrimeSieve", "WorkerPool", "FanIn", "RateLimiter", "Pipeline")
        .contains("ChatServer", "Crawler", "DiningPhilosophers");
  }

  @ParameterizedTest
  @MethodSource("io.heddle.examples.Example#all")
  void isUnder100Lines(String name) throws IOException {
    assertThat(Files.readAllLines(source(name))).hasSizeLessThan(100);
  }

  @ParameterizedTest
  @MethodSource("io.heddle.examples.Example#all")
  void hasATest(String name) {
    assertThat(Path.of("src/test/java/io/heddle/examples", name + "Test.java")).exists();
  }

  @ParameterizedTest
  @MethodSource("io.heddle.examples.Example#all")
  void isInTheReadme(String name) throws IOException {
    assertThat(Path.of("README.md")).content().contains(name + ".java");
  }

  /** Compiles alone: a user copies a single file. */
  @ParameterizedTest
  @MethodSource("io.heddle.examples.Example#all")
  void compilesAlone(String name, @TempDir Path classes) throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-cp", Example.library(name), "-sourcepath", "", "-d", classes.toString());
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      var sources = files.getJavaFileObjects(source(name));
      boolean _ = javac.getTask(messages, files, null, options, null, sources).call();
    }
    assertThat(messages.toString()).isEmpty();
    assertThat(classes.resolve(name + ".class")).exists();
  }

  @Test
  void runsFromACopyOfItsSource(@TempDir Path elsewhere) throws Exception {
    Path copy = Files.copy(source("PrimeSieve"), elsewhere.resolve("PrimeSieve.java"));
    assertThat(Example.ofSource(copy, "3").run().lines())
        .containsExactly("2", "3", "5", "3 primes, 5 goroutines");
  }

  private static Path source(String name) {
    return Example.SOURCES.resolve(name + ".java");
  }
}
