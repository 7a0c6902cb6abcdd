package io.heddle.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Projects of users take what is staged, and nothing else of Heddle: Maven with an empty local
 * repository, and Gradle. Other libraries come from the local repository of this build, so neither
 * needs the network.
 */
class ConsumersTest {
  private static final Path CONSUMERS = Path.of("src/test/consumers").toAbsolutePath();
  private static final Path STAGED = Staging.ofThisBuild().folder();

  @Test
  void mavenProjectWithTheBomCompilesAndRuns() throws Exception {
    Path project = copy("maven");
    Path settings =
        Files.writeString(
            project.resolve("settings.xml"),
            """
            <settings>
              <localRepository>%s</localRepository>
              <mirrors>
                <mirror><id>others</id><mirrorOf>*,!staging</mirrorOf><url>%s</url></mirror>
              </mirrors>
            </settings>
            """
                .formatted(project.resolve("repository"), Build.LOCAL_REPOSITORY.toUri()));
    Build.maven(
            project,
            Map.of("JAVA_HOME", Build.JAVA_HOME, "MAVEN_OPTS", ""),
            "-s",
            settings.toString(),
            "-Dheddle.version=" + Build.VERSION,
            "-Dheddle.staging=" + STAGED.toUri(),
            "test")
        .succeeded();

    assertThat(project.resolve("target/surefire-reports/TEST-acme.SquaresTest.xml"))
        .content()
        .contains("tests=\"2\"", "errors=\"0\"", "failures=\"0\"", "skipped=\"0\"");
    assertThat(project.resolve("repository/io/heddle/heddle-parent")).doesNotExist();
    Build.emptyFolder("maven");
  }

  @Test
  void gradleProjectResolvesAndRuns() throws Exception {
    assumeTrue(Build.has("gradle"), "needs gradle");
    Path project = copy("gradle");
    Build.Result result =
        Build.run(
            project,
            Map.of("GRADLE_USER_HOME", project.resolve("home").toString()),
            "gradle",
            "--offline",
            "--no-daemon",
            "--quiet",
            "-PheddleVersion=" + Build.VERSION,
            "-PheddleStaging=" + STAGED.toUri(),
            "-PotherLibraries=" + Build.LOCAL_REPOSITORY.toUri(),
            "-PjavaHome=" + Build.JAVA_HOME,
            "squares");

    assertThat(result.succeeded().output()).contains("[1, 4, 9]");
    Build.emptyFolder("gradle");
  }

  /** The project of the guide. What its plugins need beyond this build comes from the network. */
  @Test
  void springBootSkeletonAnswersOnGoroutines() throws Exception {
    Path project = copy("boot");
    Path settings =
        Files.writeString(
            project.resolve("settings.xml"),
            """
            <settings>
              <localRepository>%s</localRepository>
              <profiles><profile>
                <id>staged</id>
                <repositories>
                  <repository><id>staging</id><url>%s</url></repository>
                  <repository><id>others</id><url>%s</url></repository>
                </repositories>
                <pluginRepositories>
                  <pluginRepository><id>others</id><url>%3$s</url></pluginRepository>
                </pluginRepositories>
              </profile></profiles>
              <activeProfiles><activeProfile>staged</activeProfile></activeProfiles>
            </settings>
            """
                .formatted(
                    project.resolve("repository"), STAGED.toUri(), Build.LOCAL_REPOSITORY.toUri()));
    Build.maven(
            project,
            Map.of("JAVA_HOME", Build.JAVA_HOME, "MAVEN_OPTS", ""),
            "-s",
            settings.toString(),
            "-Dheddle.version=" + Build.VERSION,
            "package")
        .succeeded();

    try (Server shop = Server.start(project.resolve("target/shop-0.0.1-SNAPSHOT.jar"))) {
      assertThat(shop.get("/thread")).contains("tomcat-handler-", "@heddle-shared-M");
      assertThat(shop.said()).doesNotContain(" WARN ");
    }
    Build.emptyFolder("boot");
  }

  @Test
  void guideHasTheLinesOfTheSpringBootSkeleton() throws Exception {
    String guide =
        Files.readString(Build.ROOT.resolve("docs/guide/spring-boot.md")).replaceAll("\\s+", " ");
    String pom =
        Files.readString(CONSUMERS.resolve("boot/pom.xml"))
            .replace("${heddle.version}", Build.VERSION)
            .replaceAll("\\s+", " ");
    for (String start : new String[] {"The one dependency", "The two lines"}) {
      int from = pom.indexOf("--> ", pom.indexOf(start)) + 4;
      String end = start.contains("dependency") ? "</dependency>" : "</plugin>";
      assertThat(guide).contains(pom.substring(from, pom.indexOf(end, from)) + end);
    }
  }

  private static Path copy(String consumer) throws IOException {
    Path to = Build.emptyFolder(consumer);
    Path from = CONSUMERS.resolve(consumer);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
    return to;
  }
}
