package io.heddle.cli;

import io.heddle.cli.demo.Demo;
import io.heddle.cli.demo.DemoSize;
import io.heddle.cli.screen.Screen;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle demo}: reads the options and plays the demo. */
@Command(
    name = "demo",
    description =
        "Shows in a few seconds what the scheduler does, with figures measured on this machine.")
final class DemoCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Option(names = "--quick", description = "A smaller demo, in about two seconds.")
  private boolean quick;

  @Option(
      names = "--goroutines",
      paramLabel = "N",
      converter = Goroutines.class,
      description = "How many goroutines the race starts: 1 to 10000000; default: a million.")
  private @Nullable Integer goroutines;

  @Option(
      names = "--procs",
      paramLabel = "N",
      converter = Procs.class,
      description = "How many run at the same time: 1 to 1024, else one for each CPU.")
  private @Nullable Integer procs;

  DemoCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws Exception {
    DemoSize size = quick ? DemoSize.quick() : DemoSize.full();
    if (goroutines != null) {
      size = size.withGoroutines(goroutines);
    }
    if (procs != null) {
      size = size.withProcs(procs);
    }
    return new Demo(screen, size).play() ? 0 : 1;
  }

  /** At most ten million, because more do not fit into the memory of an ordinary machine. */
  private static final class Goroutines extends WholeNumber {
    Goroutines() {
      super(1, 10_000_000);
    }
  }
}
