package io.heddle.internal.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about supported versions says what the table of JDK releases says. */
class SupportedVersionsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

  /** The classes that a test class may inherit the tag from. */
  private static final Pattern TAG = Pattern.compile("@Tag\\(\"jdks\"\\)|extends BlockedOnFixture");

  private final String page = read(ROOT.resolve("docs/guide/supported-versions.md"));

  SupportedVersionsTest() throws IOException {}

  @Test
  void pageHasOneColumnForEachRelease() {
    String columns =
        Stream.of(JdkRelease.values())
            .filter(JdkRelease::isKnown)
            .map(release -> release.name().replace("JDK_", ""))
            .collect(Collectors.joining(" | "));
    assertThat(page).contains("| feature | " + columns + " | another | if it is off | tests |\n");
  }

  @Test
  void pageHasOneRowForEachFeature() {
    List<String> rows =
        page.lines()
            .filter(line -> line.contains(" | ✓ |") || line.contains(" | – |"))
            .map(line -> line.substring(0, line.lastIndexOf(" | `") + 3))
            .toList();
    assertThat(rows).isEqualTo(Arrays.stream(JdkFeature.values()).map(this::row).toList());
  }

  private String row(JdkFeature feature) {
    String cells =
        Arrays.stream(JdkRelease.values())
            .map(release -> release.has(feature) ? "✓" : "–")
            .collect(Collectors.joining(" | "));
    String line = feature.offBecause("");
    String withoutIt = line.substring(line.lastIndexOf("; ") + 2);
    return "| " + feature.title() + " | " + cells + " | " + withoutIt + " | ";
  }

  @Test
  void testsThatThePageNamesRunOnEachRelease() throws IOException {
    List<String> named =
        TEST.matcher(page).results().map(result -> result.group(1)).distinct().toList();
    assertThat(named).hasSizeGreaterThan(JdkFeature.values().length);
    List<Path> sources = testSources();
    Function<String, Boolean> runs =
        name ->
            sources.stream()
                .filter(path -> path.endsWith(name + ".java"))
                .anyMatch(path -> TAG.matcher(unchecked(path)).find());
    assertThat(named).allMatch(runs::apply);
  }

  private static List<Path> testSources() throws IOException {
    try (Stream<Path> all =
        Stream.of("heddle-core", "heddle-junit")
            .map(module -> ROOT.resolve(module).resolve("src/test/java"))
            .flatMap(SupportedVersionsTest::files)) {
      return all.toList();
    }
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String unchecked(Path path) {
    try {
      return read(path);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path path) throws IOException {
    return Files.readString(path);
  }
}
