package io.heddle.bench.cluster;

import io.heddle.cluster.Cluster;
import io.heddle.cluster.ClusterOptions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The row <i>remote channel</i>: a value that was sent is stored, and acknowledged when it was
 * received. Sender and receiver have a connection each, in one process. The lines take turns.
 *
 * <ul>
 *   <li>hand-over: one value at a time, from the begin of the send to its arrival; p50 and p99
 *   <li>throughput: many senders on one channel; values per second that the server has confirmed,
 *       and CPU time of this process for each
 *   <li>memory: bytes of heap for each open channel
 * </ul>
 *
 * <p>{@code java -jar benchmarks.jar cluster nats://127.0.0.1:4222 [rounds] [seconds] [channels]}
 */
public final class RemoteChannelReport {
  private static final int HAND_OVERS = 1_500;
  private static final int WARM_UP = 1_500;
  private static final int BYTES = 100;
  private static final int BATCH = 256;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  private final String url;
  private final long seconds;

  private RemoteChannelReport(String url, long seconds) {
    this.url = url;
    this.seconds = seconds;
  }

  /** Opens a line. */
  @FunctionalInterface
  private interface Opener {
    Line open() throws Exception;
  }

  /** What one line has done in one round. */
  private record Figures(double p50, double p99, double rate, double cpu) {
    static Figures median(List<Figures> rounds) {
      return new Figures(
          median(rounds.stream().mapToDouble(Figures::p50).toArray()),
          median(rounds.stream().mapToDouble(Figures::p99).toArray()),
          median(rounds.stream().mapToDouble(Figures::rate).toArray()),
          median(rounds.stream().mapToDouble(Figures::cpu).toArray()));
    }

    private static double median(double[] values) {
      Arrays.sort(values);
      return values[values.length / 2];
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length < 1) {
      System.err.println("arguments: URL of a NATS server [rounds] [seconds] [channels]");
      System.exit(2);
    }
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    long seconds = args.length > 2 ? Long.parseLong(args[2]) : 3;
    int channels = args.length > 3 ? Integer.parseInt(args[3]) : 0;
    new RemoteChannelReport(args[0], seconds).run(rounds, channels);
  }

  private void run(int rounds, int channels) throws Exception {
    List<Opener> lines =
        List.of(
            () -> new PlainLine(url),
            () -> new HeddleLine(url, 1),
            () -> new HeddleLine(url, BATCH));
    List<String> names = new ArrayList<>();
    List<List<Figures>> figures = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < lines.size(); i++) {
        if (round == 0) {
          figures.add(new ArrayList<>());
        }
        Line line = lines.get(i).open();
        try {
          if (round == 0) {
            names.add(line.name() + ", " + line.senders() + " senders");
          }
          figures.get(i).add(measure(line));
        } finally {
          line.close();
        }
      }
    }
    print("| line | hand-over p50, µs | p99, µs | items/s | CPU per item, µs |");
    print("|---|---|---|---|---|");
    for (int i = 0; i < names.size(); i++) {
      Figures f = Figures.median(figures.get(i));
      print("| %s | %.0f | %.0f | %,.0f | %.1f |", names.get(i), f.p50, f.p99, f.rate, f.cpu);
    }
    if (channels > 0) {
      memory(channels);
    }
  }

  private static void print(String format, Object... arguments) {
    System.out.println(String.format(Locale.ROOT, format, arguments));
  }

  private Figures measure(Line line) throws Exception {
    LinkedBlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    LongAdder arrived = new LongAdder();
    line.receive(
        value -> {
          if (ByteBuffer.wrap(value).getInt() == 1) {
            arrivals.add(System.nanoTime());
          } else {
            arrived.increment();
          }
        });
    double[] nanos = handOvers(line, arrivals);
    LongAdder sent = new LongAdder();
    burst(line, sent, TimeUnit.SECONDS.toNanos(1)); // warm-up
    sent.reset();
    long cpu = cpuNanos();
    long start = System.nanoTime();
    burst(line, sent, TimeUnit.SECONDS.toNanos(seconds));
    double took = System.nanoTime() - start;
    double cpuUsed = cpuNanos() - cpu;
    return new Figures(
        nanos[nanos.length / 2] / NANOS_PER_MICRO,
        nanos[nanos.length * 99 / 100] / NANOS_PER_MICRO,
        sent.sum() / (took / NANOS_PER_SECOND),
        cpuUsed / sent.sum() / NANOS_PER_MICRO);
  }

  /** Returns the times in order. */
  private static double[] handOvers(Line line, LinkedBlockingQueue<Long> arrivals)
      throws Exception {
    byte[] value = ByteBuffer.allocate(BYTES).putInt(1).array();
    double[] nanos = new double[HAND_OVERS];
    for (int i = -WARM_UP; i < HAND_OVERS; i++) {
      long begin = System.nanoTime();
      line.send(value);
      long end = arrivals.take();
      if (i >= 0) {
        nanos[i] = end - begin;
      }
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static void burst(Line line, LongAdder sent, long time) throws Exception {
    byte[] value = ByteBuffer.allocate(BYTES).array();
    long end = System.nanoTime() + time;
    line.inAllSenders(
        () -> {
          while (System.nanoTime() < end) {
            line.send(value);
            sent.increment();
          }
        });
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void memory(int channels) throws Exception {
    ClusterOptions options =
        ClusterOptions.defaults().cluster("mem-" + Long.toHexString(System.nanoTime()));
    try (Cluster cluster = Cluster.open(url, options)) {
      cluster.chan("first", byte[].class).open().send(new byte[1]);
      long before = heap();
      long start = System.nanoTime();
      for (int i = 0; i < channels; i++) {
        var _ = cluster.chan("c" + i, byte[].class).open();
      }
      double took = (System.nanoTime() - start) / NANOS_PER_SECOND;
      print(
          "%n%,d open channels: %,d bytes of heap each, opened in %.1f s",
          channels, (heap() - before) / channels, took);
      for (int i = 0; i < channels; i++) {
        cluster.delete("c" + i);
      }
      cluster.delete("first");
    }
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
