package io.heddle.bench.echo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Compares an echo server in a plain JVM with the same server under the agent. They take turns
 * under load from another process; the table shows requests per second, p50 and p99, as medians of
 * the rounds.
 *
 * <p>{@code java -cp benchmarks.jar io.heddle.bench.echo.EchoReport heddle.jar [rounds]
 * [connections] [seconds]}
 */
public final class EchoReport {
  private static final String SLOW_TRANSITIONS_OFF =
      "-XX:+UnlockExperimentalVMOptions,-XX:-DoJVMTIVirtualThreadTransitions";

  private enum Server {
    JDK("JDK"),
    ADOPTED("adopt"),
    /** Any agent slows each switch of virtual threads, unless this flag is set. */
    ADOPTED_FAST("adopt, no JVMTI transitions");

    private final String title;

    Server(String title) {
      this.title = title;
    }

    List<String> flags(Path agent) {
      return switch (this) {
        case JDK -> List.of();
        case ADOPTED -> List.of("-javaagent:" + agent + "=adopt");
        case ADOPTED_FAST ->
            Stream.concat(
                    Arrays.stream(SLOW_TRANSITIONS_OFF.split(",")),
                    Stream.of("-javaagent:" + agent + "=adopt"))
                .toList();
      };
    }
  }

  private final Path agent;
  private final int connections;
  private final int seconds;
  private final Map<Server, List<double[]>> figures = new EnumMap<>(Server.class);

  private EchoReport(Path agent, int connections, int seconds) {
    this.agent = agent;
    this.connections = connections;
    this.seconds = seconds;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length == 0 || !Files.isRegularFile(Path.of(args[0]))) {
      System.err.println("usage: EchoReport <heddle.jar> [rounds] [connections] [seconds]");
      System.exit(2);
    }
    int rounds = number(args, 1, 5);
    EchoReport report =
        new EchoReport(Path.of(args[0]), number(args, 2, 1_000), number(args, 3, 5));
    for (int round = 1; round <= rounds; round++) {
      System.err.println("round " + round + " of " + rounds);
      for (Server server : Server.values()) {
        report.measure(server);
      }
    }
    report.print(rounds);
  }

  private static int number(String[] args, int i, int otherwise) {
    return args.length > i ? Integer.parseInt(args[i]) : otherwise;
  }

  private void measure(Server kind) throws IOException, InterruptedException {
    Process server = java(kind.flags(agent), EchoServer.class.getName());
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      String port = out.readLine();
      Process load =
          java(
              List.of(),
              EchoLoad.class.getName(),
              port,
              String.valueOf(connections),
              String.valueOf(seconds),
              String.valueOf(seconds));
      try (BufferedReader result = load.inputReader(StandardCharsets.UTF_8)) {
        String line = result.readLine();
        if (line == null || load.waitFor() != 0) {
          throw new IOException("the load has failed");
        }
        System.err.println("  " + kind.title + ": " + line);
        double[] values = Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        figures.computeIfAbsent(kind, _ -> new ArrayList<>()).add(values);
      } finally {
        load.destroyForcibly();
      }
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static Process java(List<String> flags, String... main) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(main));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void print(int rounds) {
    System.out.printf("%d connections, medians of %d rounds%n", connections, rounds);
    System.out.printf("%-30s %10s %8s %8s %6s%n", "", "requests/s", "p50 µs", "p99 µs", "ratio");
    double jdk = median(Server.JDK, 0);
    for (Server server : Server.values()) {
      System.out.printf(
          "%-30s %10.0f %8.0f %8.0f %6.2f%n",
          server.title,
          median(server, 0),
          median(server, 1),
          median(server, 2),
          median(server, 0) / jdk);
    }
  }

  private double median(Server server, int figure) {
    double[] sorted =
        figures.getOrDefault(server, List.of()).stream()
            .mapToDouble(values -> values[figure])
            .sorted()
            .toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
