package io.heddle.bench.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The row <i>remote channel</i>: this process sends, another receives. The lines take turns; each
 * turn has a new receiving process and, where there is one, a new server.
 *
 * <ul>
 *   <li>hand-over: one value at a time over a line that is idle, from the begin of the send to the
 *       code of the receiver; p50 and p99
 *   <li>throughput: many senders at once, each of which waits until its send is confirmed; values
 *       per second until the last one was received, and CPU time of all processes for each
 *   <li>memory: {@link OpenChannels}
 * </ul>
 *
 * <p>{@code java -jar benchmarks.jar cluster [rounds] [seconds] [open channels] [line...]}
 */
public final class RemoteChannelReport {
  private static final int HAND_OVERS = 2_000;
  private static final int WARM_UP = 3_000;
  private static final long PAUSE_NANOS = 300_000;
  private static final int WARM_UP_SECONDS = 3;
  private static final int BYTES = 100;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int DEFAULT_ROUNDS = 3;
  private static final int DEFAULT_SECONDS = 3;
  private static final int DEFAULT_CHANNELS = 10_000;
  private static final int OPTIONS = 3;

  private final int seconds;

  private RemoteChannelReport(int seconds) {
    this.seconds = seconds;
  }

  /** What one line has done in one round. */
  private record Figures(double p50, double p99, double rate, double cpu) {}

  public static void main(String[] args) throws Exception {
    if (!Stream.of(args).limit(OPTIONS).allMatch(arg -> arg.matches("[0-9]+"))) {
      System.err.println(
          "arguments: [rounds] [seconds] [open channels] [line...]; lines: " + Lines.names());
      System.exit(2);
    }
    int rounds = number(args, 0, DEFAULT_ROUNDS);
    int channels = number(args, 2, DEFAULT_CHANNELS);
    List<String> lines = Stream.of(args).skip(OPTIONS).toList();
    if (rounds > 0) {
      new RemoteChannelReport(number(args, 1, DEFAULT_SECONDS))
          .run(rounds, lines.isEmpty() ? Lines.names() : lines);
    }
    if (channels > 0) {
      OpenChannels.measure(channels);
    }
    System.exit(0); // threads of peers
  }

  private static int number(String[] args, int index, int otherwise) {
    return args.length > index ? Integer.parseInt(args[index]) : otherwise;
  }

  private void run(int rounds, List<String> lines) throws Exception {
    List<List<Figures>> figures = new ArrayList<>();
    lines.forEach(_ -> figures.add(new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < lines.size(); i++) {
        Figures one = measure(lines.get(i));
        System.err.println(lines.get(i) + ", round " + (round + 1) + ": " + one);
        figures.get(i).add(one);
      }
    }
    print(
        "| line | a send that returned means | hand-over p50, µs | p99, µs | items/s | × | CPU per"
            + " item, µs |");
    print("|---|---|--:|--:|--:|--:|--:|");
    for (int i = 0; i < lines.size(); i++) {
      List<Figures> mine = figures.get(i);
      Line line = Lines.named(lines.get(i));
      print(
          "| %s | %s | %.0f | %.0f | %,.0f | %.1f | %.1f |",
          line.name(),
          line.promise(),
          median(mine, Figures::p50),
          median(mine, Figures::p99),
          median(mine, Figures::rate),
          median(mine, Figures::rate) / median(figures.getFirst(), Figures::rate),
          median(mine, Figures::cpu));
    }
  }

  private static double median(List<Figures> rounds, ToDoubleFunction<Figures> what) {
    double[] sorted = rounds.stream().mapToDouble(what).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static void print(String format, Object... arguments) {
    System.out.println(String.format(Locale.ROOT, format, arguments));
  }

  @SuppressWarnings("try") // an interrupt ends the run
  private Figures measure(String name) throws Exception {
    String place = "bench-" + HexFormat.of().toHexDigits(System.nanoTime());
    Line line = Lines.named(name);
    try (ServerProcess server = ServerProcess.start();
        Line.SendingEnd end = line.send(server.url(), place);
        var receiver = ReceivingProcess.start(List.of(name, server.url(), place))) {
      end.awaitReceiver();
      handOver(end, WARM_UP);
      receiver.reset();
      handOver(end, HAND_OVERS);
      String[] times = receiver.ask(ReceivingProcess.TIMES).split(" ", 2);
      carry(end, receiver, WARM_UP_SECONDS);
      List<ProcessHandle> all =
          List.of(
              ProcessHandle.current(), receiver.process().toHandle(), server.process().toHandle());
      long cpu = cpuNanos(all);
      long start = System.nanoTime();
      long carried = carry(end, receiver, seconds);
      double took = System.nanoTime() - start;
      return new Figures(
          Double.parseDouble(times[0]),
          Double.parseDouble(times[1]),
          carried / (took / NANOS_PER_SECOND),
          (double) (cpuNanos(all) - cpu) / carried / NANOS_PER_MICRO);
    }
  }

  private static void handOver(Line.SendingEnd end, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      end.send(ReceivingProcess.timed(BYTES));
    }
  }

  /** Sends for some time; returns how many values were sent, when all have been received. */
  private static long carry(Line.SendingEnd end, ReceivingProcess.Child receiver, int seconds)
      throws Exception {
    receiver.reset();
    LongAdder sent = new LongAdder();
    byte[] value = ReceivingProcess.counted(BYTES);
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    end.inAllSenders(
        () -> {
          while (System.nanoTime() < until) {
            end.send(value);
            sent.increment();
          }
        });
    long received = Long.parseLong(receiver.ask(ReceivingProcess.COUNT + sent.sum()));
    if (received != sent.sum()) {
      throw new IllegalStateException(sent.sum() + " sent, " + received + " received");
    }
    return received;
  }

  private static long cpuNanos(List<ProcessHandle> all) {
    return all.stream()
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .mapToLong(Duration::toNanos)
        .sum();
  }
}
