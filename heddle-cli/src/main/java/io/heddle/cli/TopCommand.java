package io.heddle.cli;

import io.heddle.cli.attach.Target;
import io.heddle.cli.attach.TargetException;
import io.heddle.cli.screen.Screen;
import io.heddle.cli.top.Top;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle top}: what the schedulers of a running program do, as it changes. */
@Command(
    name = "top",
    description = {
      "Shows what the schedulers of a running program do: Ps, Ms, rates, and how many goroutines"
          + " wait for what.",
      "",
      "On a terminal the view is drawn again in place until Ctrl-C; elsewhere there is one line"
          + " per scheduler each time."
    },
    footer = "Exit codes: 0, also when the program ends; 1 if it cannot be asked; 2 wrong use.")
final class TopCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Mixin private ProcessArgument process;

  @Option(names = "--once", description = "The whole view once, with the rates of one interval.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "MS",
      defaultValue = "1000",
      converter = Interval.class,
      description = "Milliseconds from one look to the next: 100 to 3600000, else 1000.")
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

  /** A look takes some milliseconds. */
  private static final class Interval extends WholeNumber {
    Interval() {
      super(100, 3_600_000);
    }
  }
}
