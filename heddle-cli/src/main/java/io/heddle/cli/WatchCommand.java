package io.heddle.cli;

import io.heddle.WatchMXBean;
import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code heddle watch}: prints what watch mode has found in a running program so far. */
@Command(
    name = "watch",
    description = {
      "Shows which virtual threads of a running program waited for a carrier of the JDK's"
          + " scheduler, for how long, and which code held the carriers.",
      "",
      "The program must have been started with -javaagent:heddle.jar=watch, which changes nothing"
          + " about its scheduling."
    },
    footer = "Exit codes: 0; 1 if the process does not answer or does not watch; 2 wrong use.")
final class WatchCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Mixin private ProcessArgument process;

  @Option(
      names = "--html",
      paramLabel = "OUT",
      description = "Write the report as a self-contained page for a browser.")
  private @Nullable Path html;

  WatchCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws TargetException, InterruptedException, IOException {
    Path page = html;
    String problem = page == null ? null : OutputFile.problem(page);
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), "--html: " + problem);
    }
    try (Target target = Target.open(process.pid())) {
      WatchMXBean watch = target.watch();
      if (page == null) {
        screen.line(target.ask(watch::report).stripTrailing());
      } else {
        Files.writeString(page, target.ask(watch::page));
        screen.line("wrote " + page);
      }
    }
    return 0;
  }
}
