package tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation that maps tests of another project to our tests.
 *
 * @param page the page's name
 * @param root the package of our tests, which are in its subpackages
 */
public record Table(String page, String root) {
  private static final Path PAGES = Path.of("..", "docs", "internals");
  private static final Path TESTS = Path.of("src", "test", "java");
  private static final Pattern METHOD =
      Pattern.compile("@Test\\s+(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:public )?void (\\w+)\\(");

  /** The tests that the page names. */
  public TreeSet<String> named() throws IOException {
    return found(Pattern.compile("`(" + root + "\\.\\w+\\.\\w+Test\\.\\w+)`"), text());
  }

  /** The existing tests. */
  public TreeSet<String> tests() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path file : sources()) {
      String type = TESTS.relativize(file).toString().replace(".java", "").replace('/', '.');
      found(METHOD, Files.readString(file)).forEach(method -> names.add(type + "." + method));
    }
    return names;
  }

  /** The rows of its tables, without the header rows. */
  public List<String> rows() throws IOException {
    return text().lines().filter(line -> line.matches("\\| .* \\| .* \\| .* \\|")).toList();
  }

  private String text() throws IOException {
    return Files.readString(PAGES.resolve(page));
  }

  private List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(TESTS.resolve(root))) {
      return files
          .filter(file -> file.toString().endsWith("Test.java"))
          .filter(file -> !file.getParent().endsWith(root))
          .toList();
    }
  }

  private static TreeSet<String> found(Pattern pattern, String text) {
    TreeSet<String> all = new TreeSet<>();
    pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).forEach(all::add);
    return all;
  }
}
