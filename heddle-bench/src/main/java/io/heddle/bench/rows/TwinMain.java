package io.heddle.bench.rows;

import io.heddle.bench.Json;
import io.heddle.bench.channels.Peer;
import io.heddle.bench.channels.Twin;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The process of one peer: {@code peer procs warmMillis measureMillis row=size…}. For each row it
 * repeats the workload until the warm-up is over and then measures further runs. It prints one line
 * of JSON per row: the median of each figure, and the result of the last run. A service ({@code
 * echo}, {@code http}, {@code idle}) prints that it is ready, and ends when its standard input
 * ends.
 */
public final class TwinMain {
  /** The figures and the result of one run of a row. */
  record Sample(long check, Map<String, Double> figures) {}

  /** The workload of a row, for a given size. */
  interface RowWork {
    Sample run(int n) throws Exception;
  }

  /** The workload of a row with one figure, its duration. */
  interface TimedWork {
    long run(int n) throws Exception;
  }

  private static final int FINDERS = 8;

  private static final int REQUESTS_PER_SECOND = 500;

  /** The CPU time of a request beside batch work. */
  private static final int SMALL_MICROS = 100;

  /** The CPU time of a request in an overload. */
  private static final int LARGE_MICROS = 2_000;

  /** How long the capacity is measured. */
  private static final int CAPACITY_MILLIS = 3_000;

  /**
   * A pause until the last tasks that reported their start also wait; not part of a measurement.
   */
  private static final int SETTLE_MILLIS = 300;

  /** A pause until the tasks are in native code. */
  private static final int BLOCK_HEAD_START_MILLIS = 20;

  private final int procs;
  private final Twin twin;
  private final Rows rows;

  private TwinMain(Peer peer, int procs) {
    this.procs = procs;
    twin = peer.twin(procs);
    rows =
        switch (peer) {
          case HEDDLE -> new HeddleRows(procs);
          case JUC -> new VirtualThreadRows();
          case JOX -> new JoxRows();
          case KOTLIN -> new KotlinRows();
        };
  }

  public static void main(String[] args) throws Exception {
    Peer peer = Peer.valueOf(args[0]);
    TwinMain main = new TwinMain(peer, Integer.parseInt(args[1]));
    long warmNanos = Long.parseLong(args[2]) * 1_000_000;
    long measureNanos = Long.parseLong(args[3]) * 1_000_000;
    for (String job : List.of(args).subList(4, args.length)) {
      String name = job.substring(0, job.indexOf('='));
      int size = Integer.parseInt(job.substring(job.indexOf('=') + 1));
      if (main.isService(name)) {
        main.serve(name, size);
      } else {
        System.out.println(run(name, main.work(name), size, warmNanos, measureNanos));
      }
    }
    System.exit(0); // the schedulers' threads may still be waiting
  }

  private static String run(String name, RowWork work, int size, long warmNanos, long measureNanos)
      throws Exception {
    for (long start = System.nanoTime(); System.nanoTime() - start < warmNanos; ) {
      work.run(warmSize(name, size));
    }
    Map<String, List<Double>> samples = new TreeMap<>();
    int count = 0;
    long check;
    long start = System.nanoTime();
    do {
      Sample sample = work.run(size);
      check = sample.check;
      sample.figures.forEach(
          (key, value) -> samples.computeIfAbsent(key, _ -> new ArrayList<>()).add(value));
      count++;
    } while (System.nanoTime() - start < measureNanos);
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("row", name);
    line.put("size", size);
    line.put("samples", count);
    line.put("check", check);
    Map<String, Object> medians = new TreeMap<>();
    samples.forEach((key, values) -> medians.put(key, median(values)));
    line.put("figures", medians);
    return Json.write(line);
  }

  /**
   * The size for the warm-up: small for rows that must keep a small heap before the measured run.
   */
  private static int warmSize(String name, int size) {
    return name.equals("parked") ? Math.max(1, size / 50) : size;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }

  private RowWork work(String name) {
    return switch (name) {
      case "spawn" -> timed(rows::spawn);
      case "ping-pong" -> timed(twin::pingPong);
      case "ring" -> timed(rows::ring);
      case "skynet" -> timed(twin::skynet);
      case "buffered" -> timed(twin::buffered);
      case "mpmc" -> timed(twin::mpmc);
      case "select" -> timed(twin::select);
      case "gosched" -> timed(rows::gosched);
      case "mutex" -> timed(twin::mutex);
      case "stop-timers" -> timed(rows::stopTimers);
      case "pairs" -> timed(rows::pairs);
      case "timers" -> this::timers;
      case "parked" -> this::parked;
      case "sum" -> this::sum;
      case "find" -> this::find;
      case "hogs" -> this::hogs;
      case "pinned" -> this::pinned;
      case "background" -> this::background;
      case "overload" -> this::overload;
      default -> throw new IllegalArgumentException("no row " + name);
    };
  }

  private static RowWork timed(TimedWork work) {
    return n -> {
      long start = System.nanoTime();
      long check = work.run(n);
      return new Sample(check, Map.of("nanos", (double) (System.nanoTime() - start)));
    };
  }

  private Sample timers(int n) throws Exception {
    long cpu = cpuNanos();
    long start = System.nanoTime();
    long woken = rows.timers(n);
    double nanos = System.nanoTime() - start;
    return new Sample(woken, Map.of("nanos", nanos, "cpu", (double) (cpuNanos() - cpu)));
  }

  private Sample parked(int n) throws Exception {
    double heap = liveHeap();
    double rss = resident();
    Rows.Parked parked = rows.park(n);
    Thread.sleep(SETTLE_MILLIS);
    heap = liveHeap() - heap;
    rss = resident() - rss;
    return new Sample(parked.release(), Map.of("heap", heap, "rss", rss));
  }

  private Sample sum(int n) throws Exception {
    int[] numbers = new int[n];
    for (int i = 0; i < n; i++) {
      numbers[i] = i & 1023;
    }
    long start = System.nanoTime();
    long one = new ArraySlice(numbers, 0, n).sum();
    long middle = System.nanoTime();
    long many = rows.add(numbers, procs);
    long end = System.nanoTime();
    return new Sample(
        one == many ? many : -1,
        Map.of("one", (double) (middle - start), "nanos", (double) (end - middle)));
  }

  private Sample find(int n) throws Exception {
    long start = System.nanoTime();
    long few = rows.find(n / 10, 1);
    long middle = System.nanoTime();
    long found = rows.find(n, FINDERS);
    long end = System.nanoTime();
    return new Sample(
        found + few - n / 10,
        Map.of("one", 10.0 * (middle - start), "nanos", (double) (end - middle)));
  }

  private Sample hogs(int millis) throws Exception {
    TickGaps gaps = new TickGaps(100 * millis);
    rows.hogs(2 * procs, millis, gaps);
    return new Sample(0, gaps.figures());
  }

  private Sample pinned(int millis) throws Exception {
    double free = rows.itemsPerSecond(millis);
    Rows.Blocked blocked = rows.block(procs, millis + BLOCK_HEAD_START_MILLIS);
    Thread.sleep(BLOCK_HEAD_START_MILLIS);
    double beside = rows.itemsPerSecond(millis);
    blocked.end();
    return new Sample(
        0, Map.of("free", free, "blocked", beside, "kept", 100 * beside / Math.max(1, free)));
  }

  /** Small requests without batch work, beside it, and beside it without protection. */
  private Sample background(int millis) throws Exception {
    RequestLoad load = new RequestLoad();
    Rows.Requests guarded = rows.requests(true);
    Rows.Requests plain = rows.requests(false);
    RequestLoad.Outcome _ = load.offer(guarded, REQUESTS_PER_SECOND, millis / 3, SMALL_MICROS);
    double idle = RequestLoad.beside(guarded, procs, () -> Thread.sleep(millis));
    double alone = load.offer(guarded, REQUESTS_PER_SECOND, millis, SMALL_MICROS).p99Nanos();
    double[] p99 = new double[2];
    double kept = RequestLoad.beside(guarded, procs, () -> p99[0] = small(load, guarded, millis));
    p99[1] = p99[0];
    double same = kept;
    if (rows.canGuard()) {
      same = RequestLoad.beside(plain, procs, () -> p99[1] = small(load, plain, millis));
    }
    return new Sample(
        0,
        Map.of(
            "alone",
            alone,
            "p99",
            p99[0],
            "plain",
            p99[1],
            "kept",
            100 * kept / idle,
            "plainKept",
            100 * same / idle));
  }

  private static double small(RequestLoad load, Rows.Requests peer, int millis) throws Exception {
    return load.offer(peer, REQUESTS_PER_SECOND, millis, SMALL_MICROS).p99Nanos();
  }

  /** Twice as many requests as the peer can answer, with and without protection. */
  private Sample overload(int millis) throws Exception {
    RequestLoad load = new RequestLoad();
    Rows.Requests plain = rows.requests(false);
    Rows.Requests guarded = rows.requests(true);
    int users = 2 * procs;
    double _ = load.capacity(plain, users, 500, LARGE_MICROS);
    double capacity = load.capacity(plain, users, CAPACITY_MILLIS, LARGE_MICROS);
    Map<String, Double> figures = new TreeMap<>();
    figures.put("capacity", capacity);
    double good = overload(load, guarded, capacity, millis, figures);
    figures.put("good", good);
    figures.put(
        "plaingood",
        rows.canGuard() ? overload(load, plain, capacity, millis, new TreeMap<>()) : good);
    return new Sample(0, figures);
  }

  /** Returns how many percent of the capacity were answered in time; adds the other figures. */
  private static double overload(
      RequestLoad load,
      Rows.Requests peer,
      double capacity,
      int millis,
      Map<String, Double> figures)
      throws Exception {
    long start = System.nanoTime();
    RequestLoad.Outcome outcome = load.offer(peer, 2 * capacity, millis, LARGE_MICROS);
    double late = System.nanoTime() - start - millis * 1e6;
    figures.put("p99", outcome.p99Nanos());
    figures.put("recovery", Math.max(0, late));
    return 100 * outcome.good() * 1_000.0 / millis / capacity;
  }

  private boolean isService(String name) {
    return List.of("echo", "http", "idle").contains(name);
  }

  private void serve(String name, int size) throws Exception {
    int port = 0;
    switch (name) {
      case "echo" -> {
        ServerSocket server = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        rows.echo(server, size);
        port = server.getLocalPort();
      }
      case "http" -> port = HttpTwin.start(size);
      default -> {
        rows.park(size);
        rows.sleepers(size / 100);
      }
    }
    System.out.println(Json.write(Map.of("ready", true, "port", port)));
    while (System.in.read() >= 0) {}
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double liveHeap() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static double resident() throws IOException {
    String[] statm = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(statm[1]) * 4_096.0;
  }
}
