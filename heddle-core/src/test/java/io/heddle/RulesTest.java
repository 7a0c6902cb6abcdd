package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of scheduler rules and what cites them agree; {@link RuleCheck} notices when they do
 * not.
 */
class RulesTest {
  private static final String PAGE =
      """
      # Rules
      The ids are `Q1` and more.

      ### F6
      Nothing is lost.

      Go: `findRunnable` · Here: `Finder` · Tests: `FinderTest`, `QueueTest.f6_nothingIsLost`

      ### P1
      There are several.

      Go: none · Here: none · Tests: `QueueTest`
      """;

  private static final RuleCheck.Source FINDER =
      new RuleCheck.Source("Finder", "/** Finds (rule F6). */ class Finder {}");
  private static final RuleCheck.Source FINDER_TEST =
      new RuleCheck.Source("FinderTest", "class FinderTest { void f6_finds() {} }");
  private static final RuleCheck.Source QUEUE_TEST =
      new RuleCheck.Source("QueueTest", "class QueueTest { void f6_nothingIsLost() {} }");

  @Test
  void pageAgreesWithItsCitations() {
    SourceTree tree = SourceTree.open();
    List<RuleCheck.Source> mainJava = sources(tree, ".java", file -> !isTest(file));
    List<RuleCheck.Source> testJava = sources(tree, ".java", RulesTest::isTest);
    List<RuleCheck.Source> documents = sources(tree, ".md", _ -> true);
    String page = tree.text(Path.of("docs/internals/rules.md"));
    assertThat(mainJava).hasSizeGreaterThan(100);
    assertThat(testJava).hasSizeGreaterThan(100);
    assertThat(RuleCheck.citedInText(page)).contains("Q1", "F6");
    assertThat(RuleCheck.problems(page, new RuleCheck.Sources(mainJava, testJava, documents)))
        .isEmpty();
  }

  @Test
  void checkFindsNothingOnAGoodSample() {
    assertThat(problems(PAGE.replace("`Q1`", "`F6`"), FINDER, QUEUE_TEST)).isEmpty();
  }

  @Test
  void checkFindsUndefinedIdInADocument() {
    assertThat(problems(PAGE, FINDER, QUEUE_TEST))
        .containsExactly("page cites rule Q1, which the page does not define");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/** Looks again (rule F9). */",
        "/* Looks again,\n * see rules F6\n * and F9. */",
        "// F9: looks again",
        "int i = 0; // (F6, F9)",
        "/** Rules F6 to F9. */",
        "void f9_looksAgain() {}",
        "void f6_f9_looksAgain() {}",
        "char quote = '\"'; // as F9 says",
        "/** F9's last look. */",
      })
  void checkFindsUndefinedIdInCode(String code) {
    String page = PAGE.replace("`Q1`", "`F6`");
    assertThat(problems(page, new RuleCheck.Source("Finder", code), QUEUE_TEST))
        .contains("Finder cites rule F9, which the page does not define");
    assertThat(
            problems(page, FINDER, new RuleCheck.Source("QueueTest", code + "f6_nothingIsLost(")))
        .contains("QueueTest cites rule F9, which the page does not define");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "String sample = \"// rule F9\";",
        "int F9 = 1;",
        "/** Of P0 and P1, compiled by C2; UTF8, 0xF9, G1GC, JDK-F9. */",
        "/** {@link Finder#F9}, x.F9. */",
      })
  void checkIgnoresWhatOnlyLooksLikeAnId(String code) {
    assertThat(RuleCheck.citedInJava(code)).isEmpty();
  }

  @Test
  void lettersPAndCCountOnlyAfterTheWordRule() {
    assertThat(RuleCheck.citedInJava("/** Rules P3 and C4. */")).containsExactly("C4", "P3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '!',
      value = {
        "FinderTest | rule F6 names `FindTest`, which is not a test",
        "QueueTest.f6_nothingIsLost | rule F6 names `FindTest`, which is not a test",
      })
  void checkFindsMissingTestClass(String name, String problem) {
    String page = PAGE.replace("`Q1`", "`F6`").replace("`" + name + "`", "`FindTest`");
    assertThat(problems(page, FINDER, QUEUE_TEST)).containsExactly(problem);
  }

  @Test
  void checkFindsMissingTestMethod() {
    String page = PAGE.replace("`Q1`", "`F6`").replace("f6_nothingIsLost", "f6_nothingIsFound");
    assertThat(problems(page, FINDER, QUEUE_TEST))
        .containsExactly("rule F6 names `QueueTest.f6_nothingIsFound`, which is not a test");
  }

  @Test
  void checkFindsMissingMainClass() {
    String page = PAGE.replace("`Q1`", "`F6`").replace("Here: `Finder`", "Here: `FinderTest`");
    assertThat(problems(page, FINDER, QUEUE_TEST))
        .containsExactly("rule F6 names `FinderTest`, which is not a main class");
  }

  @Test
  void checkFindsRuleWithoutTest() {
    String page = PAGE.replace("`Q1`", "`F6`").replace("Tests: `QueueTest`", "Tests:");
    assertThat(problems(page, FINDER, QUEUE_TEST)).containsExactly("rule P1 has no test");
  }

  @Test
  void checkFindsRuleWithoutReferences() {
    String page = PAGE.replace("`Q1`", "`F6`").replace("Go: none", "None");
    assertThat(problems(page, FINDER, QUEUE_TEST))
        .containsExactly(
            "rule P1 has no paragraph \"Go: … · Here: … · Tests: …\"", "rule P1 has no test");
  }

  @Test
  void checkFindsRuleDefinedTwice() {
    String page = PAGE.replace("`Q1`", "`F6`").replace("### P1", "### F6");
    assertThat(problems(page, FINDER, QUEUE_TEST)).contains("rule F6 is defined twice");
  }

  private static List<String> problems(
      String page, RuleCheck.Source mainJava, RuleCheck.Source testJava) {
    return RuleCheck.problems(
        page,
        new RuleCheck.Sources(
            List.of(mainJava),
            List.of(FINDER_TEST, testJava),
            List.of(new RuleCheck.Source("page", page))));
  }

  private static List<RuleCheck.Source> sources(
      SourceTree tree, String suffix, Predicate<Path> accepts) {
    return tree.files(suffix).stream()
        .filter(accepts)
        .map(file -> new RuleCheck.Source(nameOf(file), tree.text(file)))
        .toList();
  }

  private static boolean isTest(Path file) {
    return file.toString().contains("/src/test/");
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
