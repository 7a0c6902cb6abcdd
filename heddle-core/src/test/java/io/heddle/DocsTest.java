package io.heddle;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Links in the documentation resolve, every page is reachable from the README, and tests that pages
 * name exist.
 */
class DocsTest {
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern LINK =
      Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern TEST =
      Pattern.compile("`(?:[\\w.]*\\.)?([A-Z]\\w*(?:Test|Stress))(?:\\.\\w+)?`");

  private final Path root;

  DocsTest() throws IOException {
    root = Path.of("..").toRealPath();
  }

  @Test
  void everyLinkResolves() {
    Set<String> dead = new TreeSet<>();
    for (Path page : pages()) {
      links(page)
          .filter(link -> !resolves(page, link))
          .forEach(link -> dead.add(root.relativize(page) + ": " + link.group()));
    }
    assertThat(dead).isEmpty();
  }

  @Test
  void everyPageIsReachableFromTheReadme() {
    Set<Path> found = new HashSet<>();
    Deque<Path> next = new ArrayDeque<>(List.of(root.resolve("README.md")));
    while (!next.isEmpty()) {
      Path page = next.pop();
      if (found.add(page)) {
        links(page).map(link -> target(page, link)).filter(DocsTest::isPage).forEach(next::push);
      }
    }
    assertThat(found).containsAll(pages());
  }

  @Test
  void everyNamedTestExists() {
    Set<String> named =
        pages().stream()
            .flatMap(page -> TEST.matcher(text(page)).results())
            .map(match -> match.group(1))
            .collect(toCollection(TreeSet::new));
    assertThat(named).isNotEmpty();
    named.removeAll(sources());
    assertThat(named).isEmpty();
  }

  private boolean resolves(Path page, MatchResult link) {
    Path target = target(page, link);
    return Files.exists(target)
        && (link.group(2) == null || anchors(target).contains(link.group(2)));
  }

  private static Path target(Path page, MatchResult link) {
    return link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
  }

  /** Returns the anchors that GitHub generates from headings. */
  private static List<String> anchors(Path page) {
    return HEADING
        .matcher(CODE.matcher(text(page)).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}\\- ]", "").replace(' ', '-'))
        .toList();
  }

  private static Stream<MatchResult> links(Path page) {
    return LINK.matcher(CODE.matcher(text(page)).replaceAll("")).results();
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md") && Files.exists(file);
  }

  /** Returns all pages in the source tree, without build output and tool directories. */
  private List<Path> pages() {
    return files(".md").toList();
  }

  private Set<String> sources() {
    return files(".java")
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(toCollection(HashSet::new));
  }

  private Stream<Path> files(String suffix) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .filter(file -> Files.isRegularFile(file) && isSource(root.relativize(file)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(Path file) {
    for (Path part : file) {
      if (part.toString().equals("target") || part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
