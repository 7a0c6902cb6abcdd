package io.heddle.cli;

import io.heddle.cli.cluster.StatusJson;
import io.heddle.cli.cluster.StatusView;
import io.heddle.cli.screen.Screen;
import io.heddle.cluster.ClusterException;
import io.heddle.cluster.ClusterObserver;
import io.heddle.cluster.ClusterOptions;
import io.heddle.cluster.ClusterStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code heddle cluster status URL}: shows the nodes, channels and remote goroutines of a cluster.
 */
@Command(
    name = "cluster",
    description = {
      "Shows a cluster: its nodes, its remote channels and the remote goroutines that run.",
      "",
      "Two looks are taken, and the rates are those between them. The looks make no node, and"
          + " change nothing. A node that is paused or cut off does not answer: what it did is"
          + " missing in the counts.",
      "",
      "Columns of channels: stored: messages sent and not acknowledged; held: those of them that a"
          + " node holds; lag: how long the oldest has been stored; again: values delivered more"
          + " than once; dead: dead letters."
    },
    footer = "Exit codes: 0; 1 if the engine cannot be reached or does not answer; 2 wrong use.")
final class ClusterCommand implements Callable<Integer> {
  private final Screen screen;

  @Mixin private CommonOptions common;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "status", description = "What to do: status.")
  private String action = "";

  @Parameters(
      index = "1",
      paramLabel = "URL",
      description = "Where the engine is, for example nats://127.0.0.1:4222.")
  private String url = "";

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = "main",
      description = "The name of the cluster; default: main.")
  private String cluster = "";

  @Option(
      names = "--setting",
      paramLabel = "KEY=VALUE",
      description = "A setting of the engine, for example credentials=FILE or token=TOKEN.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(
      names = "--interval",
      paramLabel = "MS",
      defaultValue = "1000",
      converter = StatusInterval.class,
      description = "Milliseconds between the two looks: 100 to 60000; default: 1000.")
  private int interval;

  ClusterCommand(Screen screen) {
    this.screen = screen;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (!action.equals("status")) {
      throw new ParameterException(
          spec.commandLine(), "there is no argument '" + action + "'. Allowed is 'status'");
    }
    ClusterOptions options;
    try {
      options = ClusterOptions.defaults().cluster(cluster);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--cluster: " + e.getMessage());
    }
    for (Map.Entry<String, String> each : settings.entrySet()) {
      options = options.with(each.getKey(), each.getValue());
    }
    try (ClusterObserver observer = ClusterObserver.open(url, options)) {
      long start = System.nanoTime();
      ClusterStatus before = observer.status();
      TimeUnit.MILLISECONDS.sleep(interval);
      ClusterStatus now = observer.status();
      double seconds = (System.nanoTime() - start) / 1e9;
      if (json) {
        screen.line(StatusJson.of(before, now, seconds));
      } else {
        new StatusView(screen).lines(before, now, seconds).forEach(screen::line);
      }
      return 0;
    } catch (ClusterException e) {
      spec.commandLine().getErr().println("heddle: " + e.getMessage());
      spec.commandLine().getErr().flush();
      return 1;
    }
  }

  private static final class StatusInterval extends WholeNumber {
    StatusInterval() {
      super(100, 60_000);
    }
  }
}
