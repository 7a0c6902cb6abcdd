package io.heddle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line, word by word. */
class JvmCommandLineTest {
  private static final Path JAVA = Path.of("/jdk/bin/java");
  private static final Path HEDDLE = Path.of("/my lib/heddle.jar");
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  @TempDir Path folder;

  @Test
  void sourceFileWithEveryOption() throws Exception {
    JvmCommandLine launch =
        new JvmCommandLine(
            JAVA,
            HEDDLE,
            new Program.Source(Path.of("A b.java")),
            List.of("--x", ""),
            "classes",
            true,
            "com.acme.",
            Map.of("trace", "a,b c"),
            List.of("-Xss1m"),
            Map.of());

    assertThat(launch.command())
        .containsExactly(
            JAVA.toString(),
            "-XX:+UseParallelGC",
            "-XX:MaxRAMPercentage=60",
            "-Dheddle.deadlock=exit",
            "-Dheddle.banner=false",
            "-Dheddle.trace=a,b c",
            "-javaagent:" + HEDDLE + "=adopt,preempt=com.acme.*",
            "-cp",
            "classes" + File.pathSeparator + HEDDLE,
            "-Xss1m",
            "A b.java",
            "--x",
            "");
  }

  @Test
  void noAgentForAdoption() throws Exception {
    assertThat(command(new Program.Source(Path.of("A.java")), true, List.of(), Map.of()))
        .endsWith(OPENS, "-cp", HEDDLE.toString(), "io.heddle.Launch", "A.java");
    assertThat(command(new Program.MainClass("a.Main"), true, List.of(), Map.of()))
        .endsWith(OPENS, "-cp", HEDDLE.toString(), "io.heddle.Launch", "a.Main");
    assertThat(command(new Program.Jar(Path.of("a.jar")), true, List.of("-Xss1m"), Map.of()))
        .endsWith("-Xss1m", "-jar", HEDDLE.toString(), "a.jar")
        .doesNotContain(OPENS);
  }

  @Test
  void agentForASourceFileWithAnotherName() throws Exception {
    assertThat(command(new Program.Source(Path.of("script")), true, List.of(), Map.of()))
        .contains("-javaagent:" + HEDDLE + "=adopt", "--source", "script");
  }

  @Test
  void noAgentWithoutAdoption() throws Exception {
    assertThat(command(new Program.MainClass("Main"), false, List.of(), Map.of()))
        .contains(OPENS)
        .noneMatch(word -> word.startsWith("-javaagent"));
  }

  @Test
  void agentForAJarWithoutTheLibrary() throws Exception {
    Path without = jar("without.jar", "com/acme/Main.class");
    Path with = jar("with.jar", "io/heddle/Go.class");
    Path nested = jar("nested.jar", "BOOT-INF/lib/heddle-0.1.0.jar");

    assertThat(command(new Program.Jar(without), false, List.of(), Map.of()))
        .contains("-javaagent:" + HEDDLE)
        .doesNotContain(OPENS, "-cp");
    assertThat(command(new Program.Jar(with), false, List.of(), Map.of())).contains(OPENS);
    assertThat(command(new Program.Jar(nested), false, List.of(), Map.of())).contains(OPENS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseZGC"})
  void aCollectorOfTheUsersIsTheOnlyOne(String flag) throws Exception {
    Program program = new Program.MainClass("Main");
    assertThat(command(program, true, List.of(flag), Map.of()))
        .contains(flag)
        .doesNotContain("-XX:+UseParallelGC");
    assertThat(command(program, true, List.of(), Map.of("JDK_JAVA_OPTIONS", "-Da=b " + flag)))
        .doesNotContain("-XX:+UseParallelGC");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xmx1g", "-XX:MaxRAMPercentage=20", "-XX:MaxHeapSize=1g"})
  void soIsAHeap(String flag) throws Exception {
    assertThat(command(new Program.MainClass("Main"), true, List.of(flag), Map.of()))
        .contains(flag)
        .doesNotContain("-XX:MaxRAMPercentage=60");
  }

  @Test
  void commandIsQuotedForAShell() {
    assertThat(ShellWords.of(List.of("a", "b c", "", "d'e", "$x", "*", "-Da=b,c:d")))
        .isEqualTo("a 'b c' '' 'd'\\''e' '$x' '*' -Da=b,c:d");
  }

  private static List<String> command(
      Program program, boolean adopt, List<String> flags, Map<String, String> environment)
      throws Exception {
    return new JvmCommandLine(
            JAVA, HEDDLE, program, List.of(), null, adopt, null, Map.of(), flags, environment)
        .command();
  }

  private Path jar(String name, String entry) throws Exception {
    Path jar = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new ZipEntry(entry));
      out.closeEntry();
    }
    return jar;
  }
}
