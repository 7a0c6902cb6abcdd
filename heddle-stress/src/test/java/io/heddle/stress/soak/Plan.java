package io.heddle.stress.soak;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The command line of a run.
 *
 * @param seconds for how long work is done
 * @param round after how many seconds all work ends, everything is checked, and work begins
 *     again
 * @param seed the seed of every random choice
 * @param patience after how many seconds without progress a worker is lost: see
 *     {@link PatientClock}
 * @param rest the time for everything to come to rest at the end of a round
 * @param report the file of the report
 * @param flaws the deliberate errors, so that a test can check that they are detected
 */
record Plan(
    double seconds, double round, long seed, int patience, int rest, Path report, Set<Flaw> flaws) {
  /** The errors that the checks must detect. */
  enum Flaw {
    /** A received value is dropped. */
    DROP,
    /** A goroutine waits forever. */
    GOROUTINE,
    /** A file stays open. */
    DESCRIPTOR,
    /** A worker stalls. */
    STALL,
    /** A timer stays armed. */
    TIMER,
    /** Objects are retained. */
    HEAP
  }

  /** The minimum number of rounds, so that even a short run has an early and a late quarter. */
  static final int LEAST_ROUNDS = 5;

  static final String ALLOWED =
      "allowed are minutes=N or seconds=N, round=SECONDS, seed=N, patience=SECONDS, rest=SECONDS,"
          + " report=FILE and flaw=drop|goroutine|descriptor|stall|timer|heap";

  /**
   * Parses the arguments.
   *
   * @throws IllegalArgumentException if one is wrong; the message lists what is allowed
   */
  static Plan parse(String... args) {
    double seconds = 3600;
    double round = 0;
    long seed = System.nanoTime();
    int patience = 60;
    int rest = 60;
    Path report = Path.of("soak-report.md");
    Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);
    for (String arg : args) {
      int equals = arg.indexOf('=');
      String value = arg.substring(equals + 1);
      try {
        switch (equals < 0 ? "" : arg.substring(0, equals)) {
          case "minutes" -> seconds = 60 * positive(value);
          case "seconds" -> seconds = positive(value);
          case "round" -> round = positive(value);
          case "seed" -> seed = Long.parseLong(value);
          case "patience" -> patience = (int) Math.ceil(positive(value));
          case "rest" -> rest = (int) Math.ceil(positive(value));
          case "report" -> report = Path.of(value);
          case "flaw" -> flaws.add(Flaw.valueOf(value.toUpperCase(Locale.ROOT)));
          default -> throw new IllegalArgumentException();
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("\"" + arg + "\": " + ALLOWED, e);
      }
    }
    return new Plan(
        seconds, round == 0 ? usualRound(seconds) : round, seed, patience, rest, report, flaws);
  }

  boolean has(Flaw flaw) {
    return flaws.contains(flaw);
  }

  /** Shortens the rounds so that there are {@link #LEAST_ROUNDS} of them. */
  private static double usualRound(double seconds) {
    return Math.min(60, seconds / LEAST_ROUNDS);
  }

  private static double positive(String text) {
    double n = Double.parseDouble(text);
    if (!(n > 0 && n < 1e6)) {
      throw new IllegalArgumentException(text);
    }
    return n;
  }
}
