package io.heddle.stress.soak;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * What was asked for on the command line.
 *
 * @param seconds for how long work is done
 * @param round after how many seconds all work ends, everything is checked, and work begins again
 * @param seed of every choice that is made
 * @param patience after how many seconds without progress a worker has been lost: see {@link PatientClock}
 * @param rest the same for everything to come to rest at the end of a round
 * @param report where the report goes
 * @param flaws what is done wrong on purpose, so that a test sees that it is noticed
 */
record Plan(
    double seconds, double round, long seed, int patience, int rest, Path report, Set<Flaw> flaws) {
  /** What the checks must notice. */
  enum Flaw {
    /** A value is received and forgotten. */
    DROP,
    /** A goroutine waits for what never comes. */
    GOROUTINE,
    /** A file stays open. */
    DESCRIPTOR,
    /** A worker stands still. */
    STALL,
    /** A timer stays set. */
    TIMER,
    /** Objects are kept. */
    HEAP
  }

  /** However short the time: so there is an early and a late quarter. */
  static final int LEAST_ROUNDS = 5;

  static final String ALLOWED =
      "allowed are minutes=N or seconds=N, round=SECONDS, seed=N, patience=SECONDS, rest=SECONDS,"
          + " report=FILE and flaw=drop|goroutine|descriptor|stall|timer|heap";

  /** @throws IllegalArgumentException if it makes no sense; the message says what would */
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

  /** So that there are {@link #LEAST_ROUNDS} of them. */
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
