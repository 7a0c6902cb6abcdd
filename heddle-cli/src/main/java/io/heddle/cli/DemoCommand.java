package io.heddle.cli;

import io.heddle.cli.cluster.ClusterDemo;
import io.heddle.cli.demo.Demo;
import io.heddle.cli.demo.DemoSize;
import io.heddle.cli.screen.Screen;
import io.heddle.cluster.ClusterException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code heddle demo}: reads the options and plays the demo. */
@Command(
    name = "demo",
    description = {
      "Shows in a few seconds what the scheduler does, with figures measured on this machine.",
      "",
      "'heddle demo cluster' shows a channel between JVMs instead: one of two is killed, and"
          + " nothing is lost. It starts a nats-server if one is on the PATH, otherwise an engine"
          + " inside of its JVM, unless --engine names an engine."
    },
    footer = "Exit codes: 0; 1 if a result was wrong, or there is no engine; 2 wrong use.")
final class DemoCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "cluster",
      arity = "0..1",
      description = "Shows a channel between JVMs instead of the scheduler.")
  private @Nullable String show;

  @Option(
      names = "--engine",
      paramLabel = "URL",
      description = "The engine of the demo of a cluster, for example nats://host:4222.")
  private @Nullable String engine;

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
    if (show != null && !show.equals("cluster")) {
      throw wrong("there is no argument '" + show + "'. Allowed is 'cluster'");
    }
    if (show != null) {
      return playCluster();
    }
    if (engine != null) {
      throw wrong("--engine belongs to 'heddle demo cluster'");
    }
    DemoSize size = quick ? DemoSize.quick() : DemoSize.full();
    if (goroutines != null) {
      size = size.withGoroutines(goroutines);
    }
    if (procs != null) {
      size = size.withProcs(procs);
    }
    return new Demo(screen, size).play() ? 0 : 1;
  }

  private int playCluster() throws Exception {
    if (goroutines != null || procs != null) {
      throw wrong("--goroutines and --procs do not belong to 'heddle demo cluster'");
    }
    try {
      return new ClusterDemo(screen, quick).play(engine) ? 0 : 1;
    } catch (ClusterException e) {
      spec.commandLine().getErr().println("heddle: " + e.getMessage());
      spec.commandLine().getErr().flush();
      return 1;
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  /** At most ten million, because more do not fit into the memory of an ordinary machine. */
  private static final class Goroutines extends WholeNumber {
    Goroutines() {
      super(1, 10_000_000);
    }
  }
}
