package io.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each recipe of the page docs/guide/frameworks.md, as a program of its own with two CPUs: while a
 * task of the framework computes on each CPU, another one runs, on a goroutine.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameworksTest {
  private static final Path SOURCES = Path.of("src", "test", "java", "frameworks");

  /** An application with a build of its own: see {@link QuarkusApplicationTest}. */
  private static final Path QUARKUS = Path.of("src/test/quarkus/src/main/java/frameworks");

  private static final Path PAGE = Path.of("..", "docs", "guide", "frameworks.md");
  private static final String ON_GOROUTINE = "answered beside 2 hogs on VirtualThread";

  @TempDir private Path dir;

  @Test
  void kotlinRunsOnGoroutines() throws Exception {
    tasksRunOnGoroutinesByCode("Kotlin");
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"Micronaut", "KafkaListeners", "ReactorTasks"})
  void tasksRunOnGoroutinesByCode(String program) throws Exception {
    check(program, ChildJvm.OPENS, "-cp", System.getProperty("java.class.path"));
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(strings = {"Helidon", "VertxVerticles", "ReactorElastic"})
  void tasksRunOnGoroutinesByTheAgent(String program) throws Exception {
    check(
        program,
        "-javaagent:" + HeddleJar.agentIn(dir) + "=adopt",
        "-Dreactor.schedulers.defaultBoundedElasticOnVirtualThreads=true",
        "-cp",
        classPathWithoutHeddle());
  }

  private static void check(String program, String... flags) throws Exception {
    ChildJvm.Result result =
        ChildJvm.bare()
            .flags("-XX:ActiveProcessorCount=2")
            .flags(flags)
            .run("frameworks." + program);
    assertThat(result.out()).as(result.err()).contains(ON_GOROUTINE).contains("@heddle-shared-M");
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  static List<Path> sources() throws Exception {
    try (Stream<Path> files =
        Stream.concat(Files.list(SOURCES), Stream.of(QUARKUS.resolve("OnGoroutines.java")))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void pageContainsTheRecipe(Path file) throws Exception {
    String source = Files.readString(file);
    int start = source.indexOf("// recipe");
    if (start >= 0) {
      String recipe = source.substring(source.indexOf('\n', start) + 1, source.indexOf("// end"));
      assertThat(Files.readString(PAGE))
          .contains("```java\n" + recipe.stripIndent().strip() + "\n```");
    }
  }

  /** The page names the versions that are tested. */
  @Test
  void pageHasTheVersions() throws Exception {
    List<String> versions =
        Files.readString(Path.of("pom.xml"))
            .lines()
            .map(String::strip)
            .filter(line -> line.matches("<[a-z-]+[.]version>[0-9.]+</.*"))
            .map(line -> line.replaceAll("<[^>]*>", ""))
            .toList();
    assertThat(versions).hasSize(6);
    assertThat(Files.readString(PAGE)).contains(versions);
  }

  private static String classPathWithoutHeddle() {
    List<String> ours = List.of(ChildJvm.classes().toString(), ChildJvm.testClasses().toString());
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !ours.contains(entry))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
