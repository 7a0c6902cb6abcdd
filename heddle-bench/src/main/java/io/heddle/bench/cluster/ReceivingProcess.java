package io.heddle.bench.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The process that receives. It is asked by lines on its standard input, and answers each with a
 * line. Times of both processes are of one clock, because {@link System#nanoTime} is that of the
 * machine on Linux.
 */
@SuppressWarnings("try") // an interrupt ends the run
final class ReceivingProcess {
  /** A value that counts for nothing. */
  static final byte[] IGNORED = {0};

  static final String READY = "ready";

  /** Forgets what was measured. */
  static final String RESET = "reset";

  /** Asks for p50 and p99 of the times of hand-overs. */
  static final String TIMES = "times";

  /** Asks how many values were counted, when they are as many as the number that follows. */
  static final String COUNT = "count ";

  private static final byte TIMED = 1;
  private static final byte COUNTED = 2;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final double NANOS_PER_MICRO = 1e3;

  private final Queue<Long> times = new ConcurrentLinkedQueue<>();
  private final LongAdder counted = new LongAdder();

  private ReceivingProcess() {}

  /** The arguments: name of the line, URL of the server, place. */
  public static void main(String[] args) throws Exception {
    Line line = Lines.named(args[0]);
    ReceivingProcess process = new ReceivingProcess();
    try (AutoCloseable _ = line.receive(args[1], args[2], process::take)) {
      process.answer();
    }
    System.exit(0);
  }

  /** Returns a value whose hand-over is timed, from now on. */
  static byte[] timed(int bytes) {
    return ByteBuffer.allocate(bytes).put(TIMED).putLong(System.nanoTime()).array();
  }

  /** Returns a value that is counted. */
  static byte[] counted(int bytes) {
    return ByteBuffer.allocate(bytes).put(COUNTED).array();
  }

  private void take(byte[] value) {
    if (value[0] == TIMED) {
      times.add(System.nanoTime() - ByteBuffer.wrap(value).getLong(1));
    } else if (value[0] == COUNTED) {
      counted.increment();
    }
  }

  private void answer() throws IOException, InterruptedException {
    System.out.println(READY);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
      if (asked.equals(RESET)) {
        times.clear();
        counted.reset();
        System.out.println(READY);
      } else if (asked.equals(TIMES)) {
        long[] all = times.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.println(percentile(all, 50) + " " + percentile(all, 99));
      } else {
        System.out.println(awaitCount(Long.parseLong(asked.substring(COUNT.length()))));
      }
    }
  }

  private static String percentile(long[] sorted, int percent) {
    return String.format(
        Locale.ROOT, "%.1f", sorted[sorted.length * percent / 100] / NANOS_PER_MICRO);
  }

  private long awaitCount(long wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (counted.sum() < wanted && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return counted.sum();
  }

  /** Starts such a process, and waits until it is ready. */
  static Child start(List<String> arguments) throws IOException {
    String[] command = {
      ProcessHandle.current().info().command().orElse("java"),
      "--add-opens",
      "java.base/java.lang=ALL-UNNAMED",
      "-cp",
      System.getProperty("java.class.path"),
      ReceivingProcess.class.getName()
    };
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.command().addAll(arguments);
    Child child = new Child(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    child.expect(READY);
    return child;
  }

  /** The process, as the one that sends sees it. */
  record Child(Process process) implements AutoCloseable {
    Child {
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    String ask(String what) throws IOException {
      var writer = process.outputWriter(StandardCharsets.UTF_8);
      writer.write(what + "\n");
      writer.flush();
      return answer();
    }

    void reset() throws IOException {
      process.outputWriter(StandardCharsets.UTF_8).write(RESET + "\n");
      process.outputWriter(StandardCharsets.UTF_8).flush();
      expect(READY);
    }

    private void expect(String wanted) throws IOException {
      String answer = answer();
      while (!answer.equals(wanted)) { // libraries print to the standard output
        answer = answer();
      }
    }

    private String answer() throws IOException {
      String line = process.inputReader(StandardCharsets.UTF_8).readLine();
      if (line == null) {
        throw new IOException("the receiving process has ended");
      }
      return line;
    }

    @Override
    public void close() throws Exception {
      process.outputWriter(StandardCharsets.UTF_8).close();
      if (!process.waitFor(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
      }
    }
  }
}
