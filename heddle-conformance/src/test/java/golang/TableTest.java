package golang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/conformance.md names every test of this suite, and no other. */
class TableTest {
  private static final Path TABLE = Path.of("..", "docs", "conformance.md");
  private static final Path TESTS = Path.of("src", "test", "java");
  private static final Pattern NAMED = Pattern.compile("`(golang\\.\\w+\\.\\w+Test\\.\\w+)`");
  private static final Pattern METHOD = Pattern.compile("@Test\\s+(?:public )?void (\\w+)\\(");

  @Test
  void theTableNamesEveryTestAndNoOther() throws IOException {
    assertThat(found(NAMED, Files.readString(TABLE))).containsExactlyElementsOf(tests());
  }

  private static TreeSet<String> tests() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path file : sources()) {
      String type = TESTS.relativize(file).toString().replace(".java", "").replace('/', '.');
      found(METHOD, Files.readString(file)).forEach(method -> names.add(type + "." + method));
    }
    return names;
  }

  /** Those of Go's files: in a folder of their own each. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS)) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> !file.getParent().endsWith("golang"))
          .toList();
    }
  }

  private static TreeSet<String> found(Pattern pattern, String text) {
    TreeSet<String> all = new TreeSet<>();
    pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).forEach(all::add);
    return all;
  }
}
