package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file of more than 400 lines says in one sentence of a comment why it is long. */
class FileLengthTest {
  private static final int LINES = 400;
  private static final String SENTENCE = "The file is long because ";

  private final SourceTree tree = SourceTree.open();

  @Test
  void longFilesSayWhy() {
    List<Path> files = tree.files(".java");
    assertThat(files.stream().filter(file -> isLong(tree.text(file)))).isNotEmpty();
    assertThat(files.stream().filter(file -> isLong(tree.text(file)) && !saysWhy(tree.text(file))))
        .as("files of more than %d lines without \"%s\" in a comment", LINES, SENTENCE)
        .isEmpty();
  }

  @Test
  void sentenceMayBeWrappedAndMustBeInAComment() {
    assertThat(saysWhy("/**\n * A class. The file\n * is long because it has two methods.\n */"))
        .isTrue();
    assertThat(saysWhy("// The file is long\n// because it has two methods.")).isTrue();
    assertThat(saysWhy("String s = \"The file is long because it is.\";")).isFalse();
    assertThat(isLong("\n".repeat(LINES))).isFalse();
    assertThat(isLong("\n".repeat(LINES + 1))).isTrue();
  }

  private static boolean isLong(String text) {
    return text.lines().count() > LINES;
  }

  private static boolean saysWhy(String text) {
    return JavaSource.of(text).comments().replaceAll("[\\s*/]+", " ").contains(SENTENCE);
  }
}
