package io.heddle.bench.suite;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of {@code bench}. */
final class Options {
  static final String USAGE =
      """
      Usage: bench [options]
        --quick             one short round: about five minutes on two cores instead of up to an hour
        --only rows         only these rows, separated by commas (--list shows them)
        --peers names       only heddle and these contenders: heddle,go,jdk,kotlin,jox,tokio
        --rounds n          1 to 100; default: 5, or 1 with --quick
        --procs n           1 to 1024; default: the number of CPUs
        --out dir           where the results go: JSON, Markdown and a page; default: results
        --append file.json  adds the measurements to the results of earlier runs, if there are any, and shows all
        --show file.json    measures nothing: shows the tables and the page of existing results
        --compare a.json b.json
                            measures nothing: shows what changed from a to b beyond the noise
        --list              the rows and the contenders, and what is missing on this machine
        --help
      """;

  private static final int MOST_ROUNDS = 100;
  private static final int MOST_PROCS = 1_024;

  boolean quick;
  boolean list;
  boolean help;
  Set<Row> rows = EnumSet.allOf(Row.class);
  Set<Contender> contenders = EnumSet.allOf(Contender.class);
  int procs = Runtime.getRuntime().availableProcessors();
  Path out = Path.of("results");
  @Nullable Path append;
  @Nullable Path show;
  List<Path> compare = List.of();
  private int rounds;

  private Options() {}

  /**
   * Parses the arguments; throws {@link IllegalArgumentException} with a message for the user if
   * they are wrong.
   */
  static Options parse(List<String> args) {
    Options options = new Options();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      options.add(rest.next(), rest);
    }
    return options;
  }

  int rounds() {
    return rounds > 0 ? rounds : quick ? 1 : 5;
  }

  private void add(String name, Iterator<String> rest) {
    switch (name) {
      case "--quick" -> quick = true;
      case "--list" -> list = true;
      case "--help", "-h" -> help = true;
      case "--only" -> rows = rows(value(name, rest));
      case "--peers" -> contenders = contenders(value(name, rest));
      case "--rounds" -> rounds = number(name, value(name, rest), MOST_ROUNDS);
      case "--procs" -> procs = number(name, value(name, rest), MOST_PROCS);
      case "--out" -> out = Path.of(value(name, rest));
      case "--append" -> append = Path.of(value(name, rest));
      case "--show" -> show = Path.of(value(name, rest));
      case "--compare" -> compare = List.of(Path.of(value(name, rest)), Path.of(value(name, rest)));
      case "--html" ->
          throw new IllegalArgumentException(
              "--html is no option of bench, which writes several files: --out DIR is the folder"
                  + " for them, and the page is the .html file in it");
      default ->
          throw new IllegalArgumentException("unknown argument '" + name + "'\n" + USAGE.strip());
    }
  }

  private static Set<Row> rows(String names) {
    Set<Row> rows = EnumSet.noneOf(Row.class);
    for (String each : names.split(",", -1)) {
      rows.addAll(Row.of(each));
    }
    return rows;
  }

  /** Heddle is always included, because the others are compared with it. */
  private static Set<Contender> contenders(String names) {
    Set<Contender> contenders = EnumSet.of(Contender.HEDDLE);
    for (String each : names.split(",", -1)) {
      contenders.add(Contender.of(each));
    }
    return contenders;
  }

  private static int number(String name, String value, int most) {
    int n = value.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(value) : 0;
    if (n < 1 || n > most) {
      throw new IllegalArgumentException(
          name + " '" + value + "': allowed is a number from 1 to " + most);
    }
    return n;
  }

  private static String value(String name, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(
          name + " needs " + (name.equals("--compare") ? "two files" : "a value"));
    }
    return rest.next();
  }
}
