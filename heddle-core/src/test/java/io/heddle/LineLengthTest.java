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
 * Comments wrap at 100 columns, pages at 120. {@link FormatTest} covers code, because
 * google-java-format does not wrap comments.
 */
class LineLengthTest {
  private static final int JAVA_COLUMNS = 100;
  private static final int PAGE_COLUMNS = 120;

  /** The modules that still have longer lines of comments, with how many. Only ever lower one. */
  private static final Map<String, Integer> MAXIMA =
      Map.of(
          "heddle-cluster", 44,
          "heddle-cluster-nats", 4,
          "heddle-core", 1,
          "heddle-micrometer", 1);

  /** One thing that cannot be wrapped: a word, a link, or code between backquotes. */
  private static final Pattern UNBREAKABLE =
      Pattern.compile("\\s*(?:[-*]\\s|\\d+\\.\\s)?(?:`[^`]*`|\\[[^]]*]\\([^)]*\\)|\\S)+");

  private final SourceTree tree = SourceTree.open();

  @Test
  void commentsWrap() {
    Map<String, List<String>> tooLong = new TreeMap<>();
    List<Path> files = tree.files(".java");
    assertThat(files).hasSizeGreaterThan(500);
    for (Path file : files) {
      for (int line : longComments(tree.text(file))) {
        tooLong
            .computeIfAbsent(file.getName(0).toString(), _ -> new ArrayList<>())
            .add(file + ":" + line);
      }
    }
    tooLong
        .values()
        .removeIf(
            lines ->
                lines.size()
                    <= MAXIMA.getOrDefault(Path.of(lines.getFirst()).getName(0).toString(), 0));
    assertThat(tooLong).as("lines of comments above %d columns", JAVA_COLUMNS).isEmpty();
  }

  @Test
  void pagesWrap() {
    List<String> tooLong = new ArrayList<>();
    List<Path> pages = tree.files(".md");
    assertThat(pages).hasSizeGreaterThan(50);
    for (Path page : pages) {
      longLines(tree.text(page)).forEach(line -> tooLong.add(page + ":" + line));
    }
    assertThat(tooLong).as("lines above %d columns", PAGE_COLUMNS).isEmpty();
  }

  @Test
  void onlyCommentsOfJavaCount() {
    String word = "x".repeat(JAVA_COLUMNS);
    assertThat(
            longComments("int " + word + ";\n// " + word + "\n/** short */\n \"// " + word + '"'))
        .containsExactly(2);
    assertThat(longComments("int " + word + "; // short")).isEmpty();
  }

  @Test
  void tablesAndCodeOfPagesDoNotCount() {
    String words = "word ".repeat(PAGE_COLUMNS / 5) + "last";
    String page =
        String.join(
            "\n",
            words,
            "| " + words,
            "# " + words,
            "```",
            words,
            "```",
            "- `" + words + "`.",
            "- " + words);
    assertThat(longLines(page)).containsExactly(1, 8);
  }

  /** Returns the numbers of the lines that are too long and begin with a comment. */
  private static List<Integer> longComments(String text) {
    String[] comments = JavaSource.of(text).comments().split("\n", -1);
    String[] code = JavaSource.of(text).code().split("\n", -1);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < comments.length; i++) {
      if (comments[i].stripTrailing().length() > JAVA_COLUMNS && code[i].isBlank()) {
        found.add(i + 1);
      }
    }
    return found;
  }

  private static List<Integer> longLines(String page) {
    List<Integer> found = new ArrayList<>();
    boolean isCode = false;
    int number = 0;
    for (String line : page.split("\n", -1)) {
      number++;
      if (line.stripLeading().startsWith("```")) {
        isCode = !isCode;
      }
      boolean mayBeLong = isCode || line.stripLeading().startsWith("|") || line.startsWith("#");
      if (line.length() > PAGE_COLUMNS && !mayBeLong && !UNBREAKABLE.matcher(line).matches()) {
        found.add(number);
      }
    }
    return found;
  }
}
