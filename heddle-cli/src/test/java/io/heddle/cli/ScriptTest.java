package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script heddle, in a repository of empty files, with commands that print their arguments. The
 * copy of the script looks for JDKs under the temporary folder instead of under /.
 */
@DisabledOnOs(OS.WINDOWS) // a shell script
class ScriptTest {
  private static final String[] USUAL_FOLDERS = {
    "/usr/lib/jvm/", "/opt/", "/usr/local/", "/Library/"
  };

  @TempDir Path folder;
  private Path repository;
  private Path script;
  private Path jar;

  @BeforeEach
  void makeRepository() throws IOException {
    repository = Files.createDirectories(folder.resolve("a repository").resolve("heddle"));
    for (String module : List.of("heddle-core", "heddle-cli")) {
      Files.createDirectories(repository.resolve(module).resolve("src/main"));
      makeFile(repository.resolve(module).resolve("pom.xml"));
    }
    makeFile(repository.resolve("pom.xml"));
    String text = Files.readString(Path.of("../heddle"));
    for (String usual : USUAL_FOLDERS) {
      assertThat(text).contains("    " + usual);
      text = text.replace("    " + usual, "    \"" + folder + "\"" + usual);
    }
    script = makeCommand(repository.resolve("heddle"), text);
    jar = repository.resolve("heddle-cli/target/heddle-cli.jar");
    makeFile(jar);
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
  }

  @Test
  void takesTheJdkInJavaHome() throws Exception {
    makeJdk(folder.resolve("jdk 25"), 25);

    Result result = run(Map.of("JAVA_HOME", folder.resolve("jdk 25").toString()), "demo");

    assertThat(result.out()).contains("java 25:", "[demo]", "[" + jar.toRealPath() + "]");
    assertThat(result.exitCode()).isEqualTo(7);
  }

  @Test
  void takesTheJdkInThePath() throws Exception {
    makeJdk(folder.resolve("jdk 25"), 25);

    Result result = run(Map.of("PATH", folder.resolve("jdk 25/bin").toString()), "demo");

    assertThat(result.out()).contains("java 25:", "[demo]");
  }

  @Test
  void skipsAnOldJdkInJavaHomeAndInThePath() throws Exception {
    makeJdk(folder.resolve("jdk17"), 17);
    makeJdk(folder.resolve("jdk26"), 26);
    String old = folder.resolve("jdk17").toString();

    Result result =
        run(
            Map.of("JAVA_HOME", old, "PATH", old + "/bin:/nowhere::" + folder + "/jdk26/bin"),
            "demo");

    assertThat(result.out()).contains("java 26:");
  }

  @Test
  void looksInTheUsualFoldersLast() throws Exception {
    makeJdk(folder.resolve("usr/lib/jvm/java-17"), 17);
    makeJdk(folder.resolve("usr/lib/jvm/temurin-25"), 25);

    assertThat(run(Map.of(), "demo").out()).contains("java 25:");
  }

  @Test
  void looksInTheFoldersOfSdkmanAndOfIdes() throws Exception {
    makeJdk(folder.resolve("home1/.sdkman/candidates/java/25.0.3-tem"), 25);
    makeJdk(folder.resolve("home2/.jdks/openjdk-26"), 26);

    assertThat(run(Map.of("HOME", folder + "/home1"), "demo").out()).contains("java 25:");
    assertThat(run(Map.of("HOME", folder + "/home2"), "demo").out()).contains("java 26:");
  }

  @Test
  void doesNotStartAJavaWithAnOldReleaseFile() throws Exception {
    Path old = folder.resolve("usr/lib/jvm/jdk8");
    makeJdk(old, 25);
    Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"1.8.0_402\"\n");

    Result result = run(Map.of(), "demo");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("Java 8: " + old);
  }

  @Test
  void withoutAnyJdkSaysWhatToInstall() throws Exception {
    Result result = run(Map.of(), "demo");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("JDK 25 or newer", "JAVA_HOME").doesNotContain("Seen");
  }

  @Test
  void withOnlyOldJdksNamesThem() throws Exception {
    makeJdk(folder.resolve("jdk17"), 17);
    makeJdk(folder.resolve("opt/jre25"), 25);
    Files.delete(folder.resolve("opt/jre25/bin/javac"));

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk17"), "demo");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains("Java 17: " + folder + "/jdk17/bin/java", "Java 25, but no javac");
  }

  @Test
  void passesArgumentsOnUnchanged() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);

    Result result =
        run(Map.of("JAVA_HOME", folder + "/jdk"), "demo", "two words", "", "*", "a\"b'c$HOME");

    assertThat(result.out()).endsWith("[demo] [two words] [] [*] [a\"b'c$HOME]\n");
  }

  @Test
  void executesTheCommandLineThatTheJvmReturns() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    Path java = folder.resolve("jdk/bin/java");
    String text = Files.readString(java);
    Files.writeString(
        java,
        text.replace(
            "printf 'java",
            """
            case $* in *-Dheddle.command.to=/dev/fd/3*)
              echo "shown"
              printf "sh -c 'echo \\"became \\$1\\"; exit 9' sh 'two words'" >/dev/fd/3
              exit 0
            esac
            printf 'java\
            """));

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk", "PATH", "/bin:/usr/bin"), "run", "x");

    assertThat(result.out()).isEqualTo("shown\nbecame two words\n");
    assertThat(result.exitCode()).isEqualTo(9);
  }

  @Test
  void passesTheExitCodeOnIfNoCommandLineIsReturned() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk"), "run", "--help");

    assertThat(result.out()).contains("[run] [--help]");
    assertThat(result.exitCode()).isEqualTo(7);
  }

  @Test
  void buildsTheBenchmarksForBench() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    makeMaven(0);
    Files.createDirectories(repository.resolve("heddle-bench/target"));

    Result result =
        run(Map.of("PATH", folder + "/jdk/bin:" + folder + "/maven"), "bench", "--quick");

    assertThat(result.err()).contains("-pl heddle-bench -am");
    assertThat(result.out()).contains("[bench] [--quick]");
  }

  @Test
  void isFoundThroughSymlinks() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    Path first = Files.createDirectories(folder.resolve("bin")).resolve("heddle-link");
    Path second = folder.resolve("second");
    Files.createSymbolicLink(first, first.getParent().relativize(script));
    Files.createSymbolicLink(second, first);
    script = second;

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk"), "demo");

    assertThat(result.out()).contains("[" + jar.toRealPath() + "]");
  }

  @Test
  void doesNotRebuildACurrentJar() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    makeMaven(0);

    assertThat(run(Map.of("PATH", folder + "/jdk/bin:" + folder + "/maven"), "demo").err())
        .isEmpty();
  }

  @Test
  void buildsAMissingJar() throws Exception {
    Files.delete(jar);
    makeJdk(folder.resolve("jdk"), 25);
    makeMaven(0);

    Result result = run(Map.of("PATH", folder + "/jdk/bin:" + folder + "/maven"), "demo");

    assertThat(result.err())
        .contains("building", "maven with " + folder + "/jdk in", "-pl heddle-cli -am");
    assertThat(result.out()).contains("[demo]").doesNotContain("maven");
    assertThat(jar).exists();
  }

  @Test
  void buildsAJarOlderThanItsSource() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    makeMaven(0);
    Path source = repository.resolve("heddle-core/src/main/New.java");
    makeFile(source);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(120)));

    assertThat(run(Map.of("PATH", folder + "/jdk/bin:" + folder + "/maven"), "demo").err())
        .contains("building");
  }

  @Test
  void runsNothingAfterABuildThatFailed() throws Exception {
    Files.delete(jar);
    makeJdk(folder.resolve("jdk"), 25);
    makeMaven(3);

    Result result = run(Map.of("PATH", folder + "/jdk/bin:" + folder + "/maven"), "demo");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("the build failed");
  }

  @Test
  void distributionTakesTheJarInLibAndBuildsNothing() throws Exception {
    makeJdk(folder.resolve("jdk"), 25);
    Path distribution = folder.resolve("heddle-1.0");
    script = makeCommand(distribution.resolve("bin/heddle"), Files.readString(script));
    Path inLib = distribution.resolve("lib/heddle-cli.jar");
    makeFile(inLib);

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk"), "bench");

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("[bench]", "[" + inLib.toRealPath() + "]");
  }

  @Test
  void withoutMavenSaysThatItIsNeeded() throws Exception {
    Files.delete(jar);
    makeJdk(folder.resolve("jdk"), 25);

    Result result = run(Map.of("JAVA_HOME", folder + "/jdk"), "demo");

    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("Maven");
  }

  private record Result(int exitCode, String out, String err) {}

  /**
   * Runs the script with these environment variables; PATH is empty and HOME has no JDKs unless
   * they say otherwise.
   */
  private Result run(Map<String, String> environment, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "");
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().putAll(environment);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    int exitCode = process.waitFor();
    return new Result(exitCode, Files.readString(out), Files.readString(err));
  }

  /** A JDK with a java that prints its arguments and exits with 7. */
  private static void makeJdk(Path home, int version) throws IOException {
    makeCommand(home.resolve("bin/javac"), "#!/bin/sh\n");
    makeCommand(
        home.resolve("bin/java"),
        """
        #!/bin/sh
        if [ "$1" = -XshowSettings:properties ]; then
          echo "Property settings:
            java.home = %s
            java.specification.version = %d
        openjdk version \\"%d\\"" >&2
          exit
        fi
        printf 'java %d:'
        for argument; do printf ' [%%s]' "$argument"; done
        echo
        exit 7
        """
            .formatted(home, version, version, version));
  }

  /** A Maven that prints its arguments, and creates the jar if {@code code} is 0. */
  private void makeMaven(int exitCode) throws IOException {
    makeCommand(
        folder.resolve("maven/mvn"),
        """
        #!/bin/sh
        echo "maven with $JAVA_HOME in $PWD: $*"
        [ %d = 0 ] && : >heddle-cli/target/heddle-cli.jar
        exit %d
        """
            .formatted(exitCode, exitCode));
  }

  private static Path makeCommand(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void makeFile(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }
}
