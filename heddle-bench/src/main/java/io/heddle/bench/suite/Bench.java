package io.heddle.bench.suite;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The main class of {@code bench}: see {@link Options#USAGE}. Exit code 1 if something failed, 2 if
 * the arguments are wrong.
 */
public final class Bench {
  /** Rows over growing sizes need no more rounds for their plots. */
  private static final int MOST_GROWTH_ROUNDS = 2;

  private final Options options;
  private final Commands commands;
  private final Results results;

  private Bench(Options options) {
    this.options = options;
    Path jar = jar();
    commands = new Commands(jar, Toolchains.here(jar));
    results =
        options.append == null || !Files.exists(options.append)
            ? new Results()
            : Results.read(options.append);
  }

  public static void main(String[] args) throws IOException {
    System.exit(run(List.of(args)));
  }

  static int run(List<String> args) throws IOException {
    try {
      Options options = Options.parse(args);
      if (options.help) {
        System.out.print(Options.USAGE);
        return 0;
      }
      if (!options.compare.isEmpty()) {
        Results a = Results.read(options.compare.getFirst());
        Results b = Results.read(options.compare.getLast());
        System.out.print(new Comparison(a, b).text());
        return 0;
      }
      Bench bench = new Bench(options);
      if (options.list) {
        return bench.list();
      }
      if (options.show != null) {
        Results shown = Results.read(options.show);
        new ResultPages(shown).write(options.show);
        System.out.print(new ResultTable(shown).text());
        return 0;
      }
      return bench.measure();
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      return 2;
    }
  }

  private int list() {
    System.out.println("rows: " + String.join(",", Row.families()));
    for (Contender each : Contender.values()) {
      String state;
      try {
        commands.prepare(each);
        state = commands.version(each);
      } catch (IOException e) {
        state = "missing: " + e.getMessage();
      }
      System.out.printf("%-7s %s%n", each.id(), state);
    }
    return 0;
  }

  private int measure() throws IOException {
    Set<Contender> present = present();
    options.rows.forEach(results::forget);
    describe(present);
    List<Job> jobs = Job.plan(options, present);
    List<Job> growth = Job.planGrowth(options, present, MachineInfo.memory());
    tellLeftOut(Job.planGrowth(options, present, 0), growth);
    int growthRounds = Math.min(options.rounds(), MOST_GROWTH_ROUNDS);
    Progress progress =
        new Progress(
            System.err,
            Progress.isOnTerminal(),
            jobs.size() * options.rounds() + growth.size() * growthRounds);
    Path file = file();
    for (int round = 1; round <= options.rounds(); round++) {
      runAll(jobs, round, progress, file);
      runAll(round <= growthRounds ? growth : List.of(), round, progress, file);
    }
    progress.end();
    List<Path> pages = new ResultPages(results).write(file);
    System.out.print(new ResultTable(results).text());
    System.out.println("\n" + file + "\n" + pages.getFirst() + "\n" + pages.getLast());
    return results.failures().isEmpty() ? 0 : 1;
  }

  private void tellLeftOut(List<Job> wanted, List<Job> planned) {
    Set<Results.CellKey> left = new LinkedHashSet<>();
    wanted.forEach(job -> left.addAll(job.keys()));
    planned.forEach(job -> job.keys().forEach(left::remove));
    for (Results.CellKey key : left) {
      String what = "%s, %s of %d".formatted(key.contender().title, key.row().id, key.size());
      results.about.put("left out: " + what, "no room in memory");
      System.err.println("bench: no room in memory for " + what);
    }
  }

  /**
   * Runs the jobs and writes the results after each one, so that an aborted run keeps what it has.
   */
  private void runAll(List<Job> jobs, int round, Progress progress, Path file) throws IOException {
    Measurement measuring =
        new Measurement(commands, results, options.quick ? Pace.QUICK : Pace.FULL);
    for (Job job : jobs) {
      progress.begin(round, job);
      measuring.run(job);
      results.write(file);
    }
  }

  private Path file() throws IOException {
    if (options.append != null) {
      return options.append;
    }
    String time =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());
    Files.createDirectories(options.out);
    return options.out.resolve("bench-" + time + ".json");
  }

  /** The contenders that can be measured here; a message names the others. */
  private Set<Contender> present() {
    Set<Contender> present = EnumSet.noneOf(Contender.class);
    for (Contender each : options.contenders) {
      try {
        commands.prepare(each);
        present.add(each);
        results.missing.remove(each);
      } catch (IOException e) {
        results.missing.put(each, e.getMessage());
        System.err.println("bench: " + each.title + " is missing: " + e.getMessage());
      }
    }
    return present;
  }

  private void describe(Set<Contender> present) {
    results.about.put("machine", MachineInfo.describe());
    results.about.put("measured", Instant.now().toString());
    results.about.put("pace", options.quick ? "quick" : "full");
    results.about.put("rounds", "" + options.rounds());
    results.about.put("procs", "" + options.procs);
    for (Contender each : present) {
      results.about.put("version of " + each.title, commands.version(each));
    }
    List<String> flags = commands.jvmFlags(Contender.JDK, Row.SPAWN, options.procs);
    results.about.put("flags of JVMs", String.join(" ", flags));
  }

  private static Path jar() {
    try {
      return Path.of(Bench.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
