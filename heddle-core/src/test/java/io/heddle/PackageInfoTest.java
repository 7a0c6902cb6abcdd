package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every package of the main code has a {@code package-info}, which is its table of contents; in
 * heddle-core it names every public type.
 */
class PackageInfoTest {
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public\\s+(?:(?:abstract|final|sealed|non-sealed)\\s+)*(?:@?interface|class|enum|record)\\s+(\\w+)",
          Pattern.MULTILINE);

  private final SourceTree tree = SourceTree.open();

  @Test
  void everyPackageHasATableOfContents() {
    Set<Path> packages = new TreeSet<>();
    tree.files(".java").stream()
        .filter(file -> file.toString().matches("[^/]+/src/main/java/io/heddle/.*"))
        .forEach(file -> packages.add(file.getParent()));
    List<Path> files = tree.files("package-info.java");
    assertThat(packages)
        .hasSizeGreaterThan(30)
        .allMatch(folder -> files.contains(folder.resolve("package-info.java")));
  }

  @Test
  void tableOfContentsNamesEveryPublicType() {
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (Path file : tree.files(".java")) {
      Path contents = file.resolveSibling("package-info.java");
      if (file.startsWith("heddle-core/src/main/java") && file.getNameCount() > 5) {
        for (String type : publicTypes(tree.text(file))) {
          found++;
          if (!isNamed(type, tree.text(contents))) {
            missing.add(contents + " does not name " + type);
          }
        }
      }
    }
    assertThat(found).isGreaterThan(100);
    assertThat(missing).isEmpty();
  }

  @Test
  void publicTypesAreFoundAndComparedAsWords() {
    String text =
        """
        /** public class Comment */
        @Mark
        public final class Limit {
          public class Nested {}
        }
        public record LimitStats(int a) {}
        public @interface Mark {}
        class Hidden {}
        """;
    assertThat(publicTypes(text)).containsExactly("Limit", "LimitStats", "Mark");
    assertThat(isNamed("Limit", "{@link io.heddle.LimitStats}")).isFalse();
    assertThat(isNamed("Limit", "{@link io.heddle.Limit}")).isTrue();
  }

  private static List<String> publicTypes(String text) {
    return PUBLIC_TYPE
        .matcher(JavaSource.of(text).code())
        .results()
        .map(type -> type.group(1))
        .toList();
  }

  private static boolean isNamed(String type, String contents) {
    return Pattern.compile("\\b" + type + "\\b").matcher(contents).find();
  }
}
