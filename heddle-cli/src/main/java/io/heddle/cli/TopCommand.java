package io.heddle.cli;

import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import io.heddle.cli.top.Top;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle top}: shows the schedulers of a running program, refreshed at an interval. */
@Command(
    name = "top",
    description = {
      "Shows the schedulers of a running program: Ps, Ms, rates, and how many goroutines wait"
          + " for each reason.",
      "",
      "On a terminal the view is refreshed in place until Ctrl-C; elsewhere each look writes one"
          + " line per scheduler."
    },
    footer = "Exit codes: 0, also when the program ends; 1 if it does not answer; 2 wrong use.")
final class TopCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Mixin private ProcessArgument process;

  @Option(
      names = "--once",
      description = "Print the whole view once, with the rates of one interval.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "MS",
      defaultValue = "1000",
      converter = Interval.class,
      description = "Milliseconds between two looks: 100 to 3600000; default: 1000.")
  private int interval;

  TopCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws TargetException, InterruptedException {
    try (Target target = Target.open(process.pid())) {
      Top top = new Top(screen, target, process.pid(), interval);
      if (once) {
        top.once();
      } else {
        top.run();
      }
    }
    return 0;
  }

  /** Not below 100 ms, because one look takes some milliseconds. */
  private static final class Interval extends WholeNumber {
    Interval() {
      super(100, 3_600_000);
    }
  }
}
