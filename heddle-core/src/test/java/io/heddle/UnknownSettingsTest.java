package io.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.internal.base.UnknownSettings;
import io.heddle.testkit.ChildJvm;
import io.heddle.testkit.HeddleJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A misspelt setting gives one line that names the right one. */
@HangGuard
class UnknownSettingsTest {
  private static final Pattern IN_TABLE =
      Pattern.compile("^\\| `(heddle(?:\\.[a-z.]+)?)` \\|", Pattern.MULTILINE);
  private static final Pattern IN_CODE = Pattern.compile("\"(heddle(?:\\.[a-z.]+)?)\"");

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({
    "heddle.prosc, heddle.procs",
    "heddle.processors, heddle.procs",
    "heddle.Procs, heddle.procs",
    "heddle.threads, heddle.maxthreads",
    "heddle.time-slice, heddle.timeslice",
    "heddle.dashbord.token, heddle.dashboard.token",
    "heddle.max.threads, heddle.maxthreads",
    "heddle.off, heddle",
    "heddle.disable, heddle",
  })
  void unknownPropertyIsNamedWithTheClosestSetting(String name, String closest) {
    assertThat(UnknownSettings.warnings(List.of("java.home", name), Set.of()))
        .containsExactly("heddle: there is no setting " + name + "; the closest is " + closest);
  }

  @ParameterizedTest
  @CsvSource({
    "HEDDLE_PROCSS, HEDDLE_PROCS",
    "HEDDLE_DISABLED, HEDDLE",
    "HEDDLE_THREADS, HEDDLE_MAXTHREADS",
    "HEDDLE_TIME_SLICE, HEDDLE_TIMESLICE",
    "HEDDLE_DASHBOARD_TOKENS, HEDDLE_DASHBOARD_TOKEN",
  })
  void unknownVariableIsNamedWithTheClosestSetting(String name, String closest) {
    assertThat(UnknownSettings.warnings(Set.of(), List.of("PATH", name)))
        .containsExactly("heddle: there is no setting " + name + "; the closest is " + closest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"heddle.seed", "heddle.jar", "heddle.command.to", "heddle.fuzz.times", "heddle"})
  void propertiesOfToolsAndTestsGiveNoWarning(String name) {
    assertThat(UnknownSettings.warnings(List.of(name), Set.of())).isEmpty();
  }

  /** Kubernetes defines some of these for every container beside a service of the name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HEDDLE_PORT",
        "HEDDLE_SERVICE_HOST",
        "HEDDLE_PORT_8080_TCP_ADDR",
        "HEDDLE_HOME",
        "HEDDLE_ENABLED",
        "HEDDLED"
      })
  void variablesOfInstallationsAndServicesGiveNoWarning(String name) {
    assertThat(UnknownSettings.warnings(Set.of(), List.of(name))).isEmpty();
  }

  @Test
  void settingsGiveNoWarning() {
    List<String> variables =
        UnknownSettings.SETTINGS.stream()
            .map(name -> name.toUpperCase().replace('.', '_'))
            .toList();
    assertThat(UnknownSettings.warnings(UnknownSettings.SETTINGS, variables)).isEmpty();
  }

  @Test
  void settingsAreThoseOfThePage() {
    String page = SourceTree.open().text(Path.of("docs/guide/settings.md"));
    List<String> table = IN_TABLE.matcher(page).results().map(row -> row.group(1)).toList();
    assertThat(table).containsExactlyInAnyOrderElementsOf(UnknownSettings.SETTINGS);
  }

  @Test
  void propertiesInTheCodeAreSettings() {
    SourceTree tree = SourceTree.open();
    Set<String> read = new TreeSet<>();
    for (Path file : tree.files(".java")) {
      if (file.startsWith("heddle-core/src/main/java")) {
        IN_CODE.matcher(tree.text(file)).results().forEach(name -> read.add(name.group(1)));
      }
    }
    assertThat(read).containsAll(UnknownSettings.SETTINGS);
    assertThat(UnknownSettings.warnings(read, Set.of())).isEmpty();
  }

  @SideBySide
  @Test
  void libraryWarnsOnce() throws Exception {
    ChildJvm.Result result =
        ChildJvm.onClassPath()
            .flags("-Dheddle.prosc=4", "-Dheddle.command.to=x")
            .env("HEDDLE_TIMESLICES", "1ms")
            .run("child.TwoSchedulers");
    assertThat(result.err().lines())
        .filteredOn(line -> line.startsWith("heddle: "))
        .containsExactly(
            "heddle: there is no setting HEDDLE_TIMESLICES; the closest is HEDDLE_TIMESLICE",
            "heddle: there is no setting heddle.prosc; the closest is heddle.procs");
  }

  @SideBySide
  @Test
  void agentWarnsAndTheLibraryNotAgain() throws Exception {
    Path jar =
        new HeddleJar()
            .attribute("Premain-Class", "io.heddle.agent.Agent")
            .attribute("Can-Retransform-Classes", "true")
            .pack(dir.resolve("heddle.jar"), ChildJvm.classes());
    ChildJvm agent =
        ChildJvm.bare()
            .flags("-javaagent:" + jar, "-Dheddle.prempt=true")
            .flags("-cp", ChildJvm.testClasses() + File.pathSeparator + jar);
    assertThat(agent.run("child.Hello"))
        .isEqualTo(
            new ChildJvm.Result(
                0,
                "hello from goroutine 1" + System.lineSeparator(),
                "heddle: there is no setting heddle.prempt; the closest is heddle.preempt"
                    + System.lineSeparator()));
  }
}
