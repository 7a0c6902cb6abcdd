package io.heddle.bench.suite;

import io.heddle.bench.Json;
import io.heddle.bench.suite.Results.CellKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs one process of one contender and adds its figures to the results. */
final class Measurement {
  private static final int IDLE_SETTLE_MILLIS = 1_000;

  /** Clock ticks per second in {@code /proc/PID/stat}. */
  private static final double TICKS_PER_SECOND = 100;

  private final Commands commands;
  private final Results results;
  private final Pace pace;

  Measurement(Commands commands, Results results, Pace pace) {
    this.commands = commands;
    this.results = results;
    this.pace = pace;
  }

  void run(Job job) {
    try {
      if (job.rows().getFirst().isService()) {
        runService(job);
      } else {
        runTwin(job);
      }
    } catch (IOException | IllegalArgumentException e) {
      failRest(job, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failRest(job, "interrupted");
    }
  }

  private List<String> command(Job job) {
    return commands.twin(
        job.contender(), job.rows().getFirst(), job.procs(), pace, job.arguments());
  }

  /** Reads one line for each row and size, in order. */
  private void runTwin(Job job) throws IOException {
    try (ChildProcess child =
        ChildProcess.start(command(job), pace.limitSeconds(job.rows().getFirst()))) {
      for (CellKey key : job.keys()) {
        String line = child.readLine();
        if (line == null) {
          child.checkEnd();
          throw new IOException("it ended early: " + child.lastError());
        }
        add(key, Json.readObject(line));
      }
      child.checkEnd();
    }
  }

  private void add(CellKey key, Map<String, @Nullable Object> line) throws IOException {
    double check = number(line, "check");
    long expected = key.row().expected(key.size());
    if (check != expected) {
      throw new IOException("wrong result: got %.0f, expected %d".formatted(check, expected));
    }
    results.add(key, figures(line.get("figures")));
  }

  private void runService(Job job) throws IOException, InterruptedException {
    Row row = job.rows().getFirst();
    try (ChildProcess child = ChildProcess.start(command(job), pace.limitSeconds(row))) {
      String line = child.readLine();
      if (line == null) {
        child.checkEnd();
        throw new IOException("it ended early");
      }
      int port = (int) number(Json.readObject(line), "port");
      results.add(
          job.keys().getFirst(),
          row == Row.IDLE ? Map.of("cpu", idlePercent(child.pid())) : load(job, port));
    }
  }

  private Map<String, Double> load(Job job, int port) throws IOException {
    Row row = job.rows().getFirst();
    List<String> command = commands.load(job.contender(), row, port, pace);
    List<String> lines = ChildProcess.run(command, pace.limitSeconds(row));
    return figures(Json.readObject(String.join("", lines)));
  }

  private double idlePercent(long pid) throws IOException, InterruptedException {
    Thread.sleep(IDLE_SETTLE_MILLIS);
    double before = cpuSeconds(pid);
    long start = System.nanoTime();
    Thread.sleep(pace.idleMillis());
    double used = cpuSeconds(pid) - before;
    return 100 * used / ((System.nanoTime() - start) / 1e9);
  }

  /**
   * CPU time: user and system time are fields 14 and 15. Fields are counted after the process name,
   * which may contain spaces.
   */
  private static double cpuSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  private void failRest(Job job, String why) {
    job.keys().stream()
        .filter(key -> !results.keys().contains(key))
        .forEach(key -> results.fail(key, why));
    if (job.keys().stream().allMatch(results.keys()::contains)) {
      results.fail(job.keys().getLast(), why + " (in a later round)");
    }
  }

  private static Map<String, Double> figures(@Nullable Object json) throws IOException {
    if (!(json instanceof Map<?, ?> printed)) {
      throw new IOException("no figures in what it printed");
    }
    Map<String, Double> figures = new HashMap<>();
    printed.forEach(
        (name, value) ->
            figures.put(
                name.toString(), value == null ? Double.POSITIVE_INFINITY : (Double) value));
    return figures;
  }

  private static double number(Map<String, @Nullable Object> line, String name) throws IOException {
    if (line.get(name) instanceof Double number) {
      return number;
    }
    throw new IOException("no " + name + " in what it printed: " + line);
  }
}
