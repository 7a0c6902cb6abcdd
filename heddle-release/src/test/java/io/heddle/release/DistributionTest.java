package io.heddle.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The zip of the command: unpacked, it works. */
class DistributionTest {
  private static final Map<String, String> ENVIRONMENT = Map.of("JAVA_HOME", Build.JAVA_HOME);
  private static Path home;

  @BeforeAll
  static void unpack() throws Exception {
    Path folder = Build.emptyFolder("a distribution");
    Path zip = Staging.ofThisBuild().file("heddle-cli", "-dist.zip");
    Build.run(folder, Map.of(), "unzip", "-q", zip.toString()).succeeded();
    home = folder.resolve("heddle-" + Build.VERSION);
  }

  @Test
  void commandSaysItsVersion() throws Exception {
    assertThat(heddle("--version").output()).startsWith("heddle " + Build.VERSION);
  }

  @Test
  void commandRunsAProgramOnTheLibraryBesideIt() throws Exception {
    Path program =
        Files.writeString(
            home.resolve("Place.java"),
            """
            import io.heddle.*;
            void main() throws Exception {
              Go.main(() -> {
                IO.println(Scheduler.class.getProtectionDomain().getCodeSource().getLocation());
              });
            }
            """);
    assertThat(heddle("run", program.toString()).output().strip()).endsWith("lib/heddle.jar");
  }

  @Test
  void everyCommandHasAManualPage() throws Exception {
    String help = heddle("--help").output();
    List<String> commands =
        help.substring(help.indexOf("Commands:"))
            .lines()
            .filter(line -> line.matches(" {2}\\w.*"))
            .map(line -> line.strip().split("[ ,]")[0])
            .toList();
    assertThat(commands).contains("run", "dump", "man");
    try (Stream<Path> pages = Files.list(home.resolve("share/man/man1"))) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .contains("heddle.1")
          .containsAll(commands.stream().map(each -> "heddle-" + each + ".1").toList());
    }
  }

  @Test
  void completionIsAScriptThatBashReads() throws Exception {
    Path script = home.resolve("share/completion/heddle.bash");
    Build.run(home, Map.of(), "bash", "-n", script.toString()).succeeded();
    assertThat(script).content().contains("--schedtrace");
    assertThat(home.resolve("share/completion/heddle.zsh")).content().contains("bashcompinit");
  }

  @Test
  void filesForMonitoringAreThere() {
    assertThat(home.resolve("share/observability/grafana-watch.json"))
        .hasSameBinaryContentAs(Build.ROOT.resolve("observability/grafana-watch.json"));
    assertThat(home.resolve("share/observability/otel-jmx.yaml")).exists();
  }

  @Test
  void licenceIsThere() {
    assertThat(home.resolve("LICENSE")).hasSameBinaryContentAs(Build.ROOT.resolve("LICENSE"));
    assertThat(home.resolve("NOTICE")).exists();
    assertThat(home.resolve("README.txt")).content().contains("JAVA_HOME");
  }

  private static Build.Result heddle(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = home.resolve("bin/heddle").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return Build.run(home, ENVIRONMENT, command).succeeded();
  }
}
