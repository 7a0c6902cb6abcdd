package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, version, and command lines that are wrong. */
class HeddleTest {
  @ParameterizedTest
  @ValueSource(strings = {"help", "--help", "-h"})
  void helpNamesTheCommands(String arg) {
    Run run = Run.of(arg);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("demo", "help", "--version");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void helpExplainsACommand() {
    Run run = Run.of("help", "demo");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("--quick", "--goroutines", "--procs");
  }

  @Test
  void versionNamesItsJava() {
    Run run = Run.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("heddle ").contains("Java " + Runtime.version().feature());
  }

  @Test
  void withoutArgumentsPrintsTheHelp() {
    assertThat(Run.of()).isEqualTo(Run.of("--help"));
  }

  @ParameterizedTest
  @CsvSource({
    "dmeo, there is no command 'dmeo'. Did you mean 'demo'?",
    "hlep, there is no command 'hlep'. Did you mean 'help'?",
    "weave, there is no command 'weave'.",
    "foo, there is no command 'foo'.",
    "--verison, there is no option '--verison'. Did you mean '--version'?",
  })
  void unknownWordsAreNamedWithASuggestion(String arg, String message) {
    Run run = Run.of(arg);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message, "heddle --help");
  }

  @Test
  void shortWordIsNotTakenForAnotherShortWord() {
    assertThat(Run.of("foo").err()).doesNotContain("Did you mean");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "10000001", "99999999999", "many", "1.5", ""})
  void goroutinesOutOfBoundsAreAnErrorThatNamesTheBounds(String n) {
    Run run = Run.of("demo", "--goroutines", n);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("--goroutines", "'" + n + "'", "from 1 to 10000000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-4", "1025", "all"})
  void procsOutOfBoundsAreAnErrorThatNamesTheBounds(String n) {
    Run run = Run.of("demo", "--procs", n);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--procs", "'" + n + "'", "from 1 to 1024");
  }

  @ParameterizedTest
  @CsvSource({
    "--qiuck, there is no option '--qiuck'. Did you mean '--quick'?",
    "twice, there is no argument 'twice'.",
    "--procs, Missing required parameter for option '--procs'",
  })
  void wrongArgumentsOfACommandAreAnError(String arg, String message) {
    Run run = Run.of("demo", arg);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message, "heddle demo --help");
  }
}
