package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.IOException;
import java.io.Reader;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a JDK older than 25 the agent says one line, and the program runs without it. */
@HangGuard
class OlderJdkTest {
  private static final int JAVA_8 = 52;
  private static final Pattern FEATURE = Pattern.compile("\"?(?:1\\.)?(\\d+)");

  @TempDir private static Path dir;
  private static Path jar;

  @BeforeAll
  static void pack() throws Exception {
    jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
  }

  @Test
  void entryClassIsCompiledForJava8() throws Exception {
    Path entry = ChildJvm.classes().resolve("io/heddle/agent/Agent.class");
    assertThat(ClassFile.of().parse(entry).majorVersion()).isEqualTo(JAVA_8);
  }

  /** With each JDK that is installed beside the one that runs the tests. */
  @Test
  void olderJdksRunWithoutTheAgent() throws Exception {
    List<Path> older = jdksBesideThisOne().filter(home -> version(home) < 25).toList();
    assumeThat(older).as("JDKs older than 25").isNotEmpty();
    for (Path home : older) {
      ChildJvm.Result result =
          ChildJvm.bare()
              .java(home.resolve("bin/java"))
              .env("JAVA_TOOL_OPTIONS", "-javaagent:" + jar + "=adopt")
              .run("-version");
      assertThat(result.exitCode()).as(result.toString()).isZero();
      assertThat(result.err().lines())
          .filteredOn(line -> line.startsWith("heddle"))
          .containsExactly(sentence(version(home)));
      assertThat(result.err()).contains(" version \"").doesNotContain("Exception", "ASSERTION");
    }
  }

  private static String sentence(int version) {
    return "heddle: Heddle needs JDK 25 or newer, this is "
        + version
        + "; the program runs without it";
  }

  private static Stream<Path> jdksBesideThisOne() throws IOException {
    Path parent = Path.of(System.getProperty("java.home")).toRealPath().getParent();
    try (Stream<Path> homes = Files.list(parent)) {
      return homes
          .filter(home -> Files.exists(home.resolve("release")))
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .toList()
          .stream();
    }
  }

  private static int version(Path home) {
    Properties release = new Properties();
    try (Reader in = Files.newBufferedReader(home.resolve("release"))) {
      release.load(in);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Matcher feature = FEATURE.matcher(release.getProperty("JAVA_VERSION", ""));
    return feature.lookingAt() ? Integer.parseInt(feature.group(1)) : Integer.MAX_VALUE;
  }
}
