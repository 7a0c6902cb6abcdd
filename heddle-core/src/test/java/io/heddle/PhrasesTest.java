package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Comments and pages do not use phrases that need a second reading, such as {@code is to} for
 * "must".
 *
 * <p>The test is a ratchet: {@code phrases.txt} has the largest number of each phrase in each area
 * of {@link ProseTest}. A number may only be lowered. What is not in the file must not occur. Some
 * of the counted phrases are right where they stand, such as {@code behind} for a place.
 */
class PhrasesTest {
  private static final String AFTER_PRONOUN =
      "that|which|who|whose|of|to|in|with|before|after|beside|from|for|at|on";

  private static final Map<String, Pattern> PHRASES =
      Map.of(
          // Not "the one P", which says that there is no other.
          "the one", phrase("the ones?(?=[.,;:)]| (?:%s)\\b)".formatted(AFTER_PRONOUN)),
          "is to", phrase("(?:is|are|was|were) to(?! blame)"),
          "had better", phrase("had better"),
          "behind", phrase("behind"),
          "so many", phrase("so many"),
          "we", phrase("we|us|our|ours"),
          "Javadoc that begins with The same or As above",
              Pattern.compile("/\\*\\*[\\s*]*(?:The same|As above)\\b"));

  private final SourceTree tree = SourceTree.open();

  @Test
  void noAreaUsesMorePhrasesThanRecorded() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : tree.files(".java")) {
      String comments = JavaSource.of(tree.text(file)).comments();
      count(
          ProseTest.JAVA_CODE.matcher(comments).replaceAll(""),
          (name, text) -> add(found, ProseTest.codeArea(file) + " | " + name, file, text));
    }
    for (Path file : tree.files(".md")) {
      count(
          ProseTest.MARKDOWN_CODE.matcher(tree.text(file)).replaceAll(""),
          (name, text) -> add(found, ProseTest.pageArea(file) + " | " + name, file, text));
    }
    Map<String, Integer> maxima = maxima();
    assertThat(maxima).isNotEmpty();
    List<String> tooMany = new ArrayList<>();
    found.forEach(
        (key, places) -> {
          if (places.size() > maxima.getOrDefault(key, 0)) {
            tooMany.add(key + " | " + places.size() + "\n  " + String.join("\n  ", places));
          }
        });
    maxima.forEach(
        (key, maximum) -> {
          int now = found.getOrDefault(key, List.of()).size();
          if (now < maximum) {
            System.out.printf("PhrasesTest: lower \"%s | %d\" to %d%n", key, maximum, now);
          }
        });
    assertThat(tooMany).as("phrases that phrases.txt does not allow").isEmpty();
  }

  @Test
  void phrasesAreFoundAcrossLines() {
    assertThat(countIn("/** The\n * same. A thief is\n * to wait so\n   many times. */"))
        .containsExactlyInAnyOrder(
            "is to", "so many", "Javadoc that begins with The same or As above");
    assertThat(countIn("We run behind the one that had better wait for the one P.\n"))
        .containsExactlyInAnyOrder("we", "behind", "the one", "had better");
    assertThat(countIn("This is a tool, and which code is to blame.")).isEmpty();
  }

  private static List<String> countIn(String text) {
    List<String> names = new ArrayList<>();
    count(text, (name, _) -> names.add(name));
    return names;
  }

  private static void count(String prose, BiConsumer<String, String> found) {
    String text = prose.replaceAll("\\n\\s*(?:\\*(?!/)|//)?", " ").replaceAll(" +", " ");
    PHRASES.forEach(
        (name, pattern) ->
            pattern
                .matcher(text)
                .results()
                .forEach(
                    match ->
                        found.accept(
                            name,
                            text.substring(
                                Math.max(0, match.start() - 30),
                                Math.min(text.length(), match.end() + 30)))));
  }

  private static void add(Map<String, List<String>> found, String key, Path file, String text) {
    found.computeIfAbsent(key, _ -> new ArrayList<>()).add(file + ": " + text);
  }

  private static Map<String, Integer> maxima() throws IOException {
    try (InputStream in = PhrasesTest.class.getResourceAsStream("/phrases.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.contains(" | "))
          .collect(
              Collectors.toMap(
                  line -> line.substring(0, line.lastIndexOf(" | ")),
                  line -> Integer.parseInt(line.substring(line.lastIndexOf(" | ") + 3))));
    }
  }

  private static Pattern phrase(String words) {
    return Pattern.compile("\\b(?:" + words + ")(?!\\w)", Pattern.CASE_INSENSITIVE);
  }
}
