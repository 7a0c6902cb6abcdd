package io.heddle.cli;

import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle man}: prints the manual page of a command, or writes the pages of all commands. */
@Command(
    name = "man",
    description = "Writes the manual page of a command, as 'man' reads it.",
    footerHeading = "%nUse:%n",
    footer = {"  heddle man run | man -l -", "  heddle man --to /usr/local/share/man/man1"})
final class ManCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "The command; without it, heddle itself.")
  private @Nullable String command;

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      description = "Writes the pages of all commands into this folder, which is made if need be.")
  private @Nullable Path folder;

  ManCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws IOException {
    CommandLine heddle = spec.root().commandLine();
    if (folder != null) {
      return writeAll(folder, heddle);
    }
    CommandLine page = command == null ? heddle : heddle.getSubcommands().get(command);
    if (page == null) {
      throw wrong("there is no command '" + command + "'. 'heddle --help' lists them.");
    }
    screen.out().print(ManPage.of(page));
    screen.out().flush();
    return 0;
  }

  private int writeAll(Path to, CommandLine heddle) throws IOException {
    if (command != null) {
      throw wrong("--to writes the pages of all commands; it takes no command.");
    }
    try {
      Files.createDirectories(to);
    } catch (IOException e) {
      throw wrong("--to: the folder '" + to + "' cannot be made: " + e);
    }
    Collection<CommandLine> all = new LinkedHashSet<>(heddle.getSubcommands().values());
    all.add(heddle);
    for (CommandLine each : all) {
      Files.writeString(to.resolve(ManPage.name(each) + ".1"), ManPage.of(each));
    }
    return 0;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
