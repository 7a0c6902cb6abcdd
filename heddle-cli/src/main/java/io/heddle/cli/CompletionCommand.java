package io.heddle.cli;

import io.heddle.cli.screen.Screen;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle completion}: prints a script with which a shell completes the command's words. */
@Command(
    name = "completion",
    description = "Writes the script that lets a shell complete commands and options.",
    footerHeading = "%nUse:%n",
    footer = {
      "  bash:  source <(heddle completion bash)",
      "  zsh:   source <(heddle completion zsh)     after 'compinit' in .zshrc"
    })
final class CompletionCommand implements Callable<Integer> {
  private enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
  private Shell shell;

  CompletionCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() {
    if (shell == Shell.ZSH) {
      screen.line("autoload -U +X bashcompinit && bashcompinit");
    }
    screen.line(AutoComplete.bash("heddle", spec.root().commandLine()));
    return 0;
  }
}
