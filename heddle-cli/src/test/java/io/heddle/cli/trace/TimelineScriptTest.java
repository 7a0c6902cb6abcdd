package io.heddle.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The script of the timeline's page. */
class TimelineScriptTest {
  private static final Pattern TOP_LEVEL = Pattern.compile("(?m)^(?:function|const|let) (\\w+)");

  /** A browser refuses the whole script if a name is declared twice, and the page stays empty. */
  @Test
  void topLevelNamesAreUnique() throws Exception {
    String page;
    try (InputStream in =
        TimelineScriptTest.class.getResourceAsStream("/io/heddle/cli/trace/timeline.html")) {
      page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> names = TOP_LEVEL.matcher(page).results().map(MatchResult::group).toList();
    List<String> declared = names.stream().map(line -> line.replaceAll(".* ", "")).toList();
    assertThat(declared).hasSizeGreaterThan(20).doesNotHaveDuplicates();
  }
}
