package io.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts for shell completion. */
class CompletionTest {
  @TempDir Path folder;

  @Test
  void bashAcceptsTheScriptAndCompletesACommand() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "needs bash");
    Path script = Files.writeString(folder.resolve("script"), Run.of("completion", "bash").out());
    Process bash =
        new ProcessBuilder(
                "/bin/bash",
                "-c",
                "source '"
                    + script
                    + "' && COMP_WORDS=(heddle run --sch) COMP_CWORD=2 COMP_LINE='heddle run --sch'"
                    + " && _complete_heddle 2>/dev/null; echo \"${COMPREPLY[@]}\"")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(bash.getInputStream().readAllBytes()).strip()).isEqualTo("--schedtrace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "BASH"})
  void allCommandsAreInIt(String shell) {
    Run run = Run.of("completion", shell);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("run", "dump", "top", "lab", "demo", "bench", "--schedtrace");
  }

  @Test
  void otherShellsAreAnErrorThatNamesTheSupportedOnes() {
    Run run = Run.of("completion", "fish");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).containsIgnoringCase("bash").containsIgnoringCase("zsh");
  }
}
