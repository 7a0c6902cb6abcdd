package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What a public repository asks of a POM is there, and each published module has its licence and
 * its place in the BOM. The tests of {@code heddle-release} look at the staged files themselves.
 */
class PublishedPomsTest {
  private static final Path ROOT = Path.of("..");

  /** The modules that are published, with their POMs. */
  private final Map<String, Element> published = new TreeMap<>();

  private final Element parent = pom(".");

  PublishedPomsTest() throws Exception {
    for (String module : texts(child(parent, "modules"))) {
      Element pom = pom(module);
      Element properties = child(pom, "properties");
      if (properties == null || !text(properties, "maven.deploy.skip").equals("true")) {
        published.put(text(pom, "artifactId"), pom);
      }
    }
  }

  @Test
  void parentHasWhatAPublicRepositoryAsksFor() {
    for (String name : List.of("url", "description", "licenses", "developers", "scm")) {
      assertThat(child(parent, name)).as(name).isNotNull();
    }
    Element scm = child(parent, "scm");
    for (String name : List.of("connection", "developerConnection", "url")) {
      assertThat(text(scm, name)).as(name).isNotEmpty();
    }
  }

  @Test
  void everyPublishedModuleHasANameAndADescription() {
    assertThat(published).containsKeys("heddle", "heddle-bom", "heddle-junit", "heddle-cli");
    published.forEach(
        (module, pom) -> {
          assertThat(text(pom, "name")).as(module).isNotEmpty();
          assertThat(text(pom, "description")).as(module).isNotEmpty();
        });
  }

  @Test
  void everyPublishedModuleIsInTheBomAndAmongTheTestsOfTheRelease() throws Exception {
    List<String> jars = new ArrayList<>(published.keySet());
    jars.remove("heddle-bom");
    assertThat(managed(pom("heddle-bom"))).containsExactlyInAnyOrderElementsOf(jars);
    assertThat(artifacts(child(pom("heddle-release"), "dependencies")))
        .containsAll(published.keySet());
  }

  @Test
  void placeholdersAreInOnePlace() throws Exception {
    List<String> found = new ArrayList<>();
    for (Path pom : SourceTree.open().files("pom.xml")) {
      Files.readString(ROOT.resolve(pom))
          .lines()
          .filter(line -> line.contains(".example<") || line.contains(".example/"))
          .forEach(found::add);
    }
    assertThat(found)
        .allSatisfy(line -> assertThat(line).matches(" +<heddle\\.(url|scm)>.*"))
        .hasSize(2);
  }

  @Test
  void licenceAndNoticeAreInTheJar() throws Exception {
    for (String name : List.of("LICENSE", "NOTICE")) {
      assertThat(PublishedPomsTest.class.getResourceAsStream("/META-INF/" + name)).isNotNull();
      if (Files.isDirectory(ChildJvm.classes())) {
        assertThat(ChildJvm.classes().resolve("META-INF").resolve(name))
            .hasSameTextualContentAs(ROOT.resolve(name));
      }
    }
  }

  private static List<String> managed(Element bom) {
    return artifacts(child(child(bom, "dependencyManagement"), "dependencies"));
  }

  private static List<String> artifacts(Element dependencies) {
    return elements(dependencies).stream()
        .map(dependency -> text(dependency, "artifactId"))
        .toList();
  }

  private static Element pom(String module) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(ROOT.resolve(module).resolve("pom.xml").toFile());
    return document.getDocumentElement();
  }

  private static List<String> texts(Element parent) {
    return elements(parent).stream().map(each -> each.getTextContent().strip()).toList();
  }

  private static String text(Element parent, String name) {
    Element found = child(parent, name);
    return found == null ? "" : found.getTextContent().strip();
  }

  private static Element child(Element parent, String name) {
    return elements(parent).stream()
        .filter(each -> each.getTagName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static List<Element> elements(Element parent) {
    List<Element> elements = new ArrayList<>();
    for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }
}
