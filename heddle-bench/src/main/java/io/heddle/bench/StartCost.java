package io.heddle.bench;

import io.heddle.Go;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures the start of a program: plain, with the library, and adopted by the launcher and by the
 * agent. In turns; prints wall time (median), CPU time (mean) and resident memory (median).
 *
 * <p>The arguments are {@code heddle.jar}, the number of rounds, and optionally the class path and
 * the name of a server. Without a server the program prints one line from a virtual thread or
 * goroutine. A server takes a port as argument, prints {@code listening on PORT}, and is measured
 * until its first answer. Linux only. Run by hand.
 */
public final class StartCost {
  private static final Pattern PORT = Pattern.compile("listening on (\\d+)");
  private static final int NANOS_PER_TICK = 10_000_000;
  private static final int USER_TIME = 11; // in /proc/PID/stat after the name, system time follows
  private static final int CHILDREN_USER_TIME = 13;

  private StartCost() {}

  private enum StartContender {
    PLAIN,
    LIBRARY,
    LAUNCHER,
    AGENT
  }

  /** One start. */
  private record StartSample(double wallMillis, double cpuMillis, double megabytes, int threads) {}

  /** The program without Heddle. With an argument it prints how much memory it has used. */
  static final class PlainStart {
    public static void main(String[] args) throws Exception {
      Thread.ofVirtual().start(() -> System.out.println("hello")).join();
      tellMemory(args);
    }
  }

  /** The program with the library. */
  static final class LibraryStart {
    public static void main(String[] args) throws Exception {
      Go.main(() -> Go.go(() -> System.out.println("hello")).join());
      tellMemory(args);
    }
  }

  private static void tellMemory(String[] args) throws IOException {
    if (args.length > 0) {
      System.out.println(status("self", "VmHWM:"));
    }
  }

  public static void main(String[] args) throws Exception {
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    boolean isServer = args.length > 3;
    Map<StartContender, List<StartSample>> samples = new EnumMap<>(StartContender.class);
    for (int round = -1; round < rounds; round++) {
      for (StartContender each : StartContender.values()) {
        if (isServer && each == StartContender.LIBRARY) {
          continue;
        }
        StartSample sample =
            isServer
                ? server(command(each, args[0], args[2], args[3], "0"))
                : program(each, args[0]);
        if (round >= 0) { // the first round fills the file cache
          samples.computeIfAbsent(each, _ -> new ArrayList<>()).add(sample);
        }
      }
    }
    System.out.println("| | wall ms | CPU ms | resident MB | threads |\n|---|--:|--:|--:|--:|");
    samples.forEach(StartCost::print);
  }

  private static void print(StartContender contender, List<StartSample> all) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f | %.0f |%n",
        contender.name().toLowerCase(Locale.ROOT),
        median(all.stream().mapToDouble(StartSample::wallMillis).toArray()),
        all.stream().mapToDouble(StartSample::cpuMillis).average().orElseThrow(),
        median(all.stream().mapToDouble(StartSample::megabytes).toArray()),
        median(all.stream().mapToDouble(StartSample::threads).toArray()));
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static List<String> command(
      StartContender contender, String heddle, String classPath, String... program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        switch (contender) {
          case PLAIN -> List.of("-cp", classPath);
          case LIBRARY ->
              List.of(
                  "--add-opens=java.base/java.lang=ALL-UNNAMED", "-cp", heddle + ":" + classPath);
          case LAUNCHER -> List.of("-jar", heddle, "-cp", classPath);
          case AGENT -> List.of("-javaagent:" + heddle + "=adopt", "-cp", classPath);
        });
    command.addAll(List.of(program));
    return command;
  }

  private static StartSample program(StartContender contender, String heddle)
      throws IOException, InterruptedException {
    String main =
        (contender == StartContender.LIBRARY ? LibraryStart.class : PlainStart.class).getName();
    String classes = System.getProperty("java.class.path");
    long cpu = cpuNanos("self", CHILDREN_USER_TIME);
    long start = System.nanoTime();
    String out = run(command(contender, heddle, classes, main));
    double wall = (System.nanoTime() - start) / 1e6;
    if (!out.endsWith("hello\n")) {
      throw new IllegalStateException(contender + " printed " + out);
    }
    double used = (cpuNanos("self", CHILDREN_USER_TIME) - cpu) / 1e6;
    String told = run(command(contender, heddle, classes, main, "memory"));
    String kilobytes = told.substring(told.indexOf("hello\n") + 6).strip();
    return new StartSample(wall, used, Integer.parseInt(kilobytes) / 1024.0, 0);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + ": " + out);
    }
    return out;
  }

  private static StartSample server(List<String> command) throws IOException {
    long start = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader out = process.inputReader()) {
      int port = awaitPort(out);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket
            .getOutputStream()
            .write("GET /square?n=12 HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!answer.endsWith("144")) {
          throw new IllegalStateException(answer);
        }
      }
      double wall = (System.nanoTime() - start) / 1e6;
      String pid = Long.toString(process.pid());
      return new StartSample(
          wall,
          cpuNanos(pid, USER_TIME) / 1e6,
          Integer.parseInt(status(pid, "VmHWM:")) / 1024.0,
          Integer.parseInt(status(pid, "Threads:")));
    } finally {
      process.destroyForcibly();
    }
  }

  private static int awaitPort(BufferedReader out) throws IOException {
    for (String line; (line = out.readLine()) != null; ) {
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new IllegalStateException("the server has ended");
  }

  /** Returns the sum of two neighbouring times of {@code /proc/PID/stat}. */
  private static long cpuNanos(String pid, int field) throws IOException {
    String stat = Files.readString(Path.of("/proc", pid, "stat"));
    String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(words[field]) + Long.parseLong(words[field + 1])) * NANOS_PER_TICK;
  }

  /** Returns the first number of a line of {@code /proc/PID/status}. */
  private static String status(String pid, String line) throws IOException {
    for (String each : Files.readAllLines(Path.of("/proc", pid, "status"))) {
      if (each.startsWith(line)) {
        return each.substring(line.length()).strip().split(" ")[0];
      }
    }
    throw new IllegalStateException("no " + line);
  }
}
