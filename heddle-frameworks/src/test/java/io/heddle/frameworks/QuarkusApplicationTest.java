package io.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that Quarkus' own build has made, with two CPUs: while a task computes on each,
 * another one runs, on a goroutine.
 */
@Tag("full")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuarkusApplicationTest {
  private static final String ON_GOROUTINE = "answered beside 2 hogs on VirtualThread";

  /** The version of the library under test that the application depends on. */
  private static final String VERSION = "0-quarkus-application-test";

  private static final Path REPOSITORY = Path.of(System.getProperty("test.maven.repository"));

  @TempDir private static Path dir;
  private static Path heddle;
  private static Path application;

  @BeforeAll
  static void build() throws Exception {
    heddle = HeddleJar.agentIn(Files.createDirectory(dir.resolve("agent")));
    Path project = Files.createDirectory(dir.resolve("project"));
    copy(Path.of("src", "test", "quarkus"), project);
    Path proof = Path.of("src", "main", "java", "frameworks", "Proof.java");
    Files.copy(Path.of("src/test/java/frameworks/Proof.java"), project.resolve(proof));
    Path installed = REPOSITORY.resolve("io/heddle/heddle/" + VERSION);
    try {
      install(installed);
      maven(project);
    } finally {
      delete(installed);
    }
    application = project.resolve("target/quarkus-app/quarkus-run.jar");
  }

  @Test
  void injectedExecutorIsHeddlesByCode() throws Exception {
    check(ChildJvm.bare().flags(ChildJvm.OPENS), "-jar", application.toString(), "injected");
  }

  @Test
  void requestsRunOnGoroutinesByTheAgent() throws Exception {
    check(
        ChildJvm.bare().flags("-javaagent:" + heddle + "=adopt"),
        "-jar",
        application.toString(),
        "requests");
  }

  @Test
  void requestsRunOnGoroutinesByTheLauncher() throws Exception {
    check(ChildJvm.bare(), "-jar", heddle.toString(), application.toString(), "requests");
  }

  private static void check(ChildJvm jvm, String... words) throws Exception {
    ChildJvm.Result result =
        jvm.flags("-XX:ActiveProcessorCount=2", "-Dquarkus.http.port=" + freePort()).run(words);
    assertThat(result.out()).as(result.err()).contains(ON_GOROUTINE).contains("@heddle-shared-M");
    assertThat(result.exitCode()).as(result.err()).isZero();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Puts the library where the build of the application finds it. */
  private static void install(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path jar = folder.resolve("heddle-" + VERSION + ".jar");
    Files.copy(heddle, jar, StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(
        folder.resolve("heddle-" + VERSION + ".pom"),
        """
        <project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>io.heddle</groupId>
          <artifactId>heddle</artifactId>
          <version>%s</version>
        </project>
        """
            .formatted(VERSION));
  }

  private static void maven(Path project) throws Exception {
    Path output = project.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("test.maven.home"), "bin", "mvn").toString(),
                "-B",
                "-q",
                "-Dmaven.repo.local=" + REPOSITORY,
                "-Dheddle.version=" + VERSION,
                "-Dquarkus.version=" + System.getProperty("test.quarkus.version"),
                "package")
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(4, TimeUnit.MINUTES);
      assertThat(ended && process.exitValue() == 0).as(Files.readString(output)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : filesIn(from)) {
      Path target = to.resolve(from.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
  }

  private static void delete(Path folder) throws IOException {
    for (Path file : filesIn(folder)) {
      Files.delete(file);
    }
    Files.deleteIfExists(folder);
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
