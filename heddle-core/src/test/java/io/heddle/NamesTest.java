package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * No simple type name, of a top-level or nested type, occurs twice in the main code of one module,
 * or in the tests of heddle-core.
 *
 * <p>Types of heddle-core that the public API fixes ({@code api.txt}) may repeat each other's
 * names, as {@code State} would. No other type may repeat them.
 */
class NamesTest {
  private static final Pattern TYPE =
      Pattern.compile("(?<![\\w.])(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
  private static final Pattern API_TYPE =
      Pattern.compile("^public .*?(?:class|interface|enum|record) ([\\w.]+)", Pattern.MULTILINE);
  private static final Path API_FOLDER = Path.of("heddle-core/src/main/java/io/heddle");

  /** The names that are known to repeat, by module. Only ever remove one. */
  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          "heddle-cluster", Set.of("Result", "State", "Taker"),
          "heddle-cluster-nats", Set.of("Round"));

  private final SourceTree tree = SourceTree.open();

  @Test
  void typeNamesOfEachModuleAreUnique() throws IOException {
    Set<String> modules = modules();
    assertThat(modules)
        .contains("heddle-core", "heddle-cli", "examples")
        .containsAll(KNOWN.keySet());
    for (String module : modules) {
      Set<String> apiTypes = module.equals("heddle-core") ? apiTypes() : Set.of();
      assertThat(repeatedIn(module + "/src/main", apiTypes).keySet())
          .as("type names that occur twice in " + module)
          .isSubsetOf(KNOWN.getOrDefault(module, Set.of()));
    }
  }

  @Test
  void typeNamesOfTheTestsAreUnique() {
    assertThat(repeatedIn("heddle-core/src/test", Set.of()))
        .as("type names that occur twice")
        .isEmpty();
  }

  @Test
  void repeatedNameIsFound() {
    String code =
        JavaSource.of(
                """
                /** A class Comment. */
                class Outer<T> {
                  String text = "class Text";
                  Class<?> type = Outer.class;
                  record Inner(int a) {}
                  @interface Mark {}
                  enum Color { RED }
                }
                """)
            .code();
    assertThat(typesIn(code)).containsExactly("Outer", "Inner", "Mark", "Color");
  }

  private Set<String> modules() {
    return tree.files(".java").stream()
        .filter(file -> file.getNameCount() > 3 && file.subpath(1, 3).equals(Path.of("src/main")))
        .map(file -> file.getName(0).toString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Map<String, List<Path>> repeatedIn(String folder, Set<String> apiTypes) {
    Map<String, List<Path>> declared = new TreeMap<>();
    Set<String> internal = new TreeSet<>();
    for (Path file : tree.files(".java")) {
      if (file.startsWith(folder)) {
        for (String name : typesIn(JavaSource.of(tree.text(file)).code())) {
          declared.computeIfAbsent(name, _ -> new ArrayList<>()).add(file);
          if (!API_FOLDER.equals(file.getParent()) || !apiTypes.contains(name)) {
            internal.add(name);
          }
        }
      }
    }
    declared.values().removeIf(files -> files.size() == 1);
    declared.keySet().retainAll(internal);
    return declared;
  }

  private static List<String> typesIn(String code) {
    return TYPE.matcher(code).results().map(type -> type.group(1)).toList();
  }

  private static Set<String> apiTypes() throws IOException {
    try (InputStream in = NamesTest.class.getResourceAsStream("/api.txt")) {
      String api = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return API_TYPE.matcher(api).results().map(NamesTest::simpleName).collect(Collectors.toSet());
    }
  }

  private static String simpleName(MatchResult type) {
    return type.group(1).replaceFirst(".*\\.", "");
  }
}
