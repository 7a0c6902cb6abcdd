package io.heddle;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the page of scheduler rules with the sources and documents that cite them.
 *
 * <p>A rule is a heading such as {@code ### F6} with a paragraph {@code Go: … · Here: … · Tests: …}
 * below it. A citation is an id in a comment or a document, or the prefix of a test method.
 */
final class RuleCheck {
  /** A text by the simple name of its file, without its suffix for Java. */
  record Source(String name, String text) {}

  /** All that may cite a rule, or be named by one. */
  record Sources(List<Source> mainJava, List<Source> testJava, List<Source> documents) {}

  private record Rule(String here, String tests) {}

  private static final Pattern HEADING = Pattern.compile("^### (\\S+)$", Pattern.MULTILINE);
  private static final Pattern REFERENCES =
      Pattern.compile(
          "^Go: (.+?)\\s·\\s+Here: (.*?)\\s·\\s+Tests: ?(.*?)$(?=\\n\\n|\\n?\\z)",
          Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*)(?:\\.(\\w+))?`");

  private static final String ID = "[A-Z]\\d{1,2}";

  /** Ids after the word, of whatever letter: (rules N1, N2), rule C1. */
  private static final Pattern AFTER_RULE =
      Pattern.compile(
          "\\b[Rr]ules?\\s+("
              + ID
              + "(?:(?:,\\s*|,?\\s+(?:and|or|to)\\s+)"
              + ID
              + ")*)(?![\\w.]\\w)");

  /**
   * An id without the word. P1 may be a processor and C2 a compiler, so those two letters need it.
   */
  private static final Pattern ALONE = Pattern.compile("(?<![\\w.#-])[QFNGST]\\d{1,2}(?![\\w-])");

  private static final Pattern RANGE =
      Pattern.compile("(?<!\\w)([A-Z])(\\d{1,2})\\s+to\\s+\\1(\\d{1,2})(?!\\w)");
  private static final Pattern SINGLE = Pattern.compile(ID);

  private static final Pattern TEST_METHOD =
      Pattern.compile("\\bvoid\\s+((?:[a-z]\\d{1,2}_)+)\\w*\\s*\\(");
  private static final Pattern FENCE =
      Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Rule> rules = new LinkedHashMap<>();

  private RuleCheck() {}

  /** Returns one line for each mismatch; empty if there is none. */
  static List<String> problems(String page, Sources sources) {
    RuleCheck check = new RuleCheck();
    check.read(page);
    check.citations(sources);
    check.names(sources);
    return check.problems;
  }

  /** Returns the ids that a Java file cites. */
  static Set<String> citedInJava(String text) {
    JavaSource source = JavaSource.of(text);
    Set<String> cited = citedInText(source.comments().replaceAll("\\n\\s*\\*?", " "));
    TEST_METHOD
        .matcher(source.code())
        .results()
        .flatMap(method -> Stream.of(method.group(1).split("_")))
        .forEach(prefix -> cited.add(prefix.toUpperCase(Locale.ROOT)));
    return cited;
  }

  /** Returns the ids that a comment or a document cites. */
  static Set<String> citedInText(String text) {
    Set<String> cited = new TreeSet<>();
    String prose = FENCE.matcher(text).replaceAll("");
    AFTER_RULE.matcher(prose).results().forEach(list -> addIds(list.group(1), cited));
    ALONE.matcher(prose).results().map(MatchResult::group).forEach(cited::add);
    addRanges(prose, cited, "QFNGST");
    return cited;
  }

  private static void addIds(String list, Set<String> to) {
    SINGLE.matcher(list).results().map(MatchResult::group).forEach(to::add);
    addRanges(list, to, "");
  }

  /** Adds S1, S2 and S3 for "S1 to S3"; an empty {@code letters} stands for all. */
  private static void addRanges(String text, Set<String> to, String letters) {
    RANGE
        .matcher(text)
        .results()
        .filter(range -> letters.isEmpty() || letters.contains(range.group(1)))
        .forEach(
            range -> {
              int last = Integer.parseInt(range.group(3));
              for (int i = Integer.parseInt(range.group(2)); i <= last; i++) {
                to.add(range.group(1) + i);
              }
            });
  }

  private void read(String page) {
    List<MatchResult> headings = HEADING.matcher(page).results().toList();
    for (int i = 0; i < headings.size(); i++) {
      String id = headings.get(i).group(1);
      int end = i + 1 < headings.size() ? headings.get(i + 1).start() : page.length();
      Matcher references = REFERENCES.matcher(page.substring(headings.get(i).end(), end));
      boolean found = references.find();
      if (!found) {
        problems.add("rule " + id + " has no paragraph \"Go: … · Here: … · Tests: …\"");
      }
      Rule rule = found ? new Rule(references.group(2), references.group(3)) : new Rule("", "");
      if (!id.matches(ID)) {
        problems.add(id + " is no id of a rule");
      } else if (rules.put(id, rule) != null) {
        problems.add("rule " + id + " is defined twice");
      }
    }
  }

  private void citations(Sources sources) {
    sources.mainJava().forEach(source -> cited(source, citedInJava(source.text())));
    sources.testJava().forEach(source -> cited(source, citedInJava(source.text())));
    sources.documents().forEach(source -> cited(source, citedInText(source.text())));
  }

  private void cited(Source source, Set<String> ids) {
    for (String id : ids) {
      if (!rules.containsKey(id)) {
        problems.add(source.name() + " cites rule " + id + ", which the page does not define");
      }
    }
  }

  private void names(Sources sources) {
    Map<String, String> mainJava = byName(sources.mainJava());
    Map<String, String> testJava = byName(sources.testJava());
    rules.forEach(
        (id, rule) -> {
          names(id, "a main class", rule.here(), mainJava);
          if (names(id, "a test", rule.tests(), testJava) == 0) {
            problems.add("rule " + id + " has no test");
          }
        });
  }

  /** Returns how many names there are. */
  private int names(String id, String what, String list, Map<String, String> existing) {
    List<MatchResult> names = NAMED.matcher(list).results().toList();
    for (MatchResult name : names) {
      String source = existing.get(name.group(1));
      String method = name.group(2);
      if (source == null
          || (method != null
              && !Pattern.compile("\\b" + method + "\\s*\\(").matcher(source).find())) {
        problems.add("rule " + id + " names " + name.group() + ", which is not " + what);
      }
    }
    return names.size();
  }

  private static Map<String, String> byName(List<Source> sources) {
    return sources.stream().collect(toMap(Source::name, Source::text, (a, b) -> a + b));
  }
}
