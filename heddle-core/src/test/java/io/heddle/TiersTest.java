package io.heddle;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * The profiles of the root POM that are tiers of tests run tests.
 *
 * <p>Once {@code -Pfull} had the property {@code skipTests}, and passed in seconds.
 */
class TiersTest {
  private static final Set<String> TIERS = Set.of("full", "rest", "jdks", "soak", "stress");

  /** The profiles that run no test of their own tier: they build something. */
  private static final Set<String> WITHOUT_TESTS = Set.of("docs", "release");

  private static final Set<String> SWITCHES =
      Set.of("skipTests", "maven.test.skip", "surefire.skip", "maven.test.skip.exec");

  @Test
  void onlyTheProfilesThatBuildSkipTests() throws Exception {
    Map<String, Element> profiles = profiles(SourceTree.open().text(Path.of("pom.xml")));
    assertThat(profiles.keySet()).containsAll(TIERS);
    assertThat(skipping(profiles)).isEqualTo(WITHOUT_TESTS);
  }

  @Test
  void switchInTheProfileOrItsPluginsIsFound() throws Exception {
    String pom =
        """
        <project><properties><skipTests>true</skipTests></properties><profiles>
          <profile><id>a</id><properties><maven.test.skip>true</maven.test.skip></properties></profile>
          <profile><id>b</id><properties><groups>full</groups></properties></profile>
          <profile><id>c</id><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
            <configuration><skipTests>true</skipTests></configuration></plugin></plugins></build></profile>
        </profiles></project>
        """;
    assertThat(skipping(profiles(pom))).isEqualTo(Set.of("a", "c"));
  }

  private static Set<String> skipping(Map<String, Element> profiles) {
    return profiles.keySet().stream()
        .filter(id -> SWITCHES.stream().anyMatch(name -> isOn(profiles.get(id), name)))
        .collect(toCollection(TreeSet::new));
  }

  private static boolean isOn(Element profile, String name) {
    return elements(profile, name).anyMatch(element -> !element.getTextContent().equals("false"));
  }

  private static Map<String, Element> profiles(String pom) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(pom)))
            .getDocumentElement();
    return elements(project, "profile")
        .collect(toMap(TiersTest::idOf, profile -> profile, (a, _) -> a, TreeMap::new));
  }

  private static String idOf(Element profile) {
    return elements(profile, "id")
        .filter(id -> id.getParentNode() == profile)
        .findFirst()
        .map(Node::getTextContent)
        .orElseThrow();
  }

  private static Stream<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
  }
}
