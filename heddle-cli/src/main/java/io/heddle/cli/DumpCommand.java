package io.heddle.cli;

import io.heddle.SchedulerMXBean;
import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle dump}: prints the goroutines of a running program. */
@Command(
    name = "dump",
    description = {
      "Shows the goroutines of a running program: what each one does or waits for, and where.",
      "",
      "Goroutines with the same state and stack are one group, largest group first. The"
          + " program must use Heddle, but needs no agent and no flag; it is not stopped."
    },
    footer = "Exit codes: 0; 1 if the process does not answer; 2 wrong use.")
final class DumpCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Mixin private ProcessArgument process;

  @Option(names = "--all", description = "Each goroutine for itself, with its name and creator.")
  private boolean all;

  DumpCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws TargetException, InterruptedException {
    try (Target target = Target.open(process.pid())) {
      for (SchedulerMXBean scheduler : target.schedulers()) {
        screen.line(target.ask(all ? scheduler::dump : scheduler::dumpGrouped));
      }
    }
    return 0;
  }
}
