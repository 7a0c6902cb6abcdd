package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Comments and pages name threads and users with nouns, not with pronouns such as those of {@link
 * #PRONOUN}.
 *
 * <p>What users and maintainers read counts: pages, comments, strings, the names of tests, and the
 * files of the dashboard and of the trace page.
 *
 * <p>The test is a ratchet. An area is a folder of pages, or the main or test code of a module.
 * Each area may use at most {@link #TARGET} such pronouns per 1,000 words. Areas that use more have
 * a recorded maximum, which may only be lowered. Code samples do not count, nor
 * does "whose", which may stand for a thing.
 */
class ProseTest {
  private static final double TARGET = 0.5;

  /** Room for edits that remove other words, and so raise the rate. */
  private static final double MARGIN = 0.1;

  private static final Pattern PRONOUN =
      Pattern.compile(
          "\\b(?:who|whoever|whom|somebody|nobody|anybody|everybody)\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\p{N}'’-]*");
  static final Pattern JAVA_CODE =
      Pattern.compile("\\{@(?:code|link|linkplain|value)\\s[^}]*}|https?:\\S+");
  static final Pattern MARKDOWN_CODE =
      Pattern.compile("(?ms)^\\s*```.*?^\\s*```|`[^`\\n]*`|(?<=])\\([^)\\s]*\\)|https?:\\S+");

  private static final Pattern ESCAPE = Pattern.compile("\\\\.");
  private static final Pattern TEST_NAME = Pattern.compile("\\bvoid\\s+(\\w+)\\s*\\(");
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_");

  /** The areas that exceed the target, with their maximum per 1,000 words. */
  private static final Map<String, Double> MAXIMA = Map.ofEntries();

  private final SourceTree tree = SourceTree.open();

  @Test
  void commentsUseNouns() {
    Map<String, Prose> areas = new TreeMap<>();
    for (Path file : tree.files(".java")) {
      String comments = JavaSource.of(tree.text(file)).comments();
      areas.computeIfAbsent(codeArea(file), Prose::new).add(file, comments, JAVA_CODE);
    }
    check(areas);
  }

  @Test
  void stringsUseNouns() {
    Map<String, Prose> areas = new TreeMap<>();
    for (Path file : tree.files(".java")) {
      if (!file.endsWith("ProseTest.java")) {
        String literals = JavaSource.of(tree.text(file)).literals();
        areas.computeIfAbsent(codeArea(file), Prose::new).add(file, literals, ESCAPE);
      }
    }
    check(areas);
  }

  @Test
  void namesOfTestsUseNouns() {
    Prose names = new Prose("names of tests");
    for (Path file : tree.files(".java")) {
      if (codeArea(file).endsWith("/test")) {
        for (var name :
            TEST_NAME.matcher(JavaSource.of(tree.text(file)).code()).results().toList()) {
          names.add(file, HUMP.matcher(name.group(1)).replaceAll(" "), ESCAPE);
        }
      }
    }
    assertThat(names.words).isGreaterThan(10_000);
    assertThat(names.found).isEmpty();
  }

  @Test
  void webPagesUseNouns() {
    Prose pages = new Prose("web pages");
    for (String suffix : List.of(".html", ".js", ".css")) {
      tree.files(suffix).forEach(file -> pages.add(file, tree.text(file), ESCAPE));
    }
    assertThat(pages.words).isGreaterThan(1_000);
    assertThat(pages.found).isEmpty();
  }

  @Test
  void pagesUseNouns() {
    Map<String, Prose> areas = new TreeMap<>();
    for (Path file : tree.files(".md")) {
      areas.computeIfAbsent(pageArea(file), Prose::new).add(file, tree.text(file), MARKDOWN_CODE);
    }
    check(areas);
  }

  @Test
  void pronounsOutsideOfCodeAreCounted() {
    Prose prose = new Prose("test");
    prose.add(
        Path.of("A.java"),
        JavaSource.of("int x = \"who\".length(); // Nobody waits,\n/* whose {@code who} */")
            .comments(),
        JAVA_CODE);
    prose.add(Path.of("a.md"), "`who` [who](who.md) and\n```\nnobody\n```\n", MARKDOWN_CODE);
    assertThat(prose.words).isEqualTo(5);
    assertThat(prose.found).containsExactly("A.java:1: Nobody", "a.md:1: who");
  }

  @Test
  void pronounsInStringsAreCounted() {
    Prose prose = new Prose("test");
    String code = "/* who */ int who = f(\"a\\nnobody else\", 'w');";
    prose.add(Path.of("A.java"), JavaSource.of(code).literals(), ESCAPE);
    assertThat(prose.found).containsExactly("A.java:1: nobody");
  }

  /** Returns the area of a page: its folder. */
  static String pageArea(Path file) {
    return file.getParent() == null ? "(root).md" : file.getParent() + "/*.md";
  }

  /** Returns the area of a Java file: the main or test code of its module. */
  static String codeArea(Path file) {
    boolean isModule = file.getNameCount() > 3 && file.getName(1).toString().equals("src");
    return file.getName(0) + (isModule ? "/" + file.getName(2) : "");
  }

  private static void check(Map<String, Prose> areas) {
    assertThat(areas).isNotEmpty();
    List<String> tooMany = new ArrayList<>();
    for (Prose area : areas.values()) {
      double maximum = MAXIMA.getOrDefault(area.name, TARGET);
      if (area.rate() > maximum) {
        tooMany.add(area + ", allowed are " + maximum + ":\n  " + String.join("\n  ", area.found));
      } else if (MAXIMA.containsKey(area.name) && area.rate() + 2 * MARGIN < maximum) {
        System.out.printf(
            "ProseTest: %s, recorded are %.1f: lower the recorded number to %.1f%n",
            area, maximum, Math.max(TARGET, area.rate() + MARGIN));
      }
    }
    assertThat(tooMany).as("areas with more pronouns than allowed").isEmpty();
  }

  /** The words and pronouns of an area. */
  private static final class Prose {
    final String name;
    final List<String> found = new ArrayList<>();
    long words;

    Prose(String name) {
      this.name = name;
    }

    void add(Path file, String text, Pattern code) {
      String prose = code.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
      int line = 0;
      for (String each : prose.split("\n", -1)) {
        line++;
        words += WORD.matcher(each).results().count();
        for (var pronoun : PRONOUN.matcher(each).results().toList()) {
          found.add(file + ":" + line + ": " + pronoun.group());
        }
      }
    }

    double rate() {
      return words == 0 ? 0 : 1_000.0 * found.size() / words;
    }

    @Override
    public String toString() {
      return "%s: %d of %d words, %.2f per 1,000".formatted(name, found.size(), words, rate());
    }
  }
}
