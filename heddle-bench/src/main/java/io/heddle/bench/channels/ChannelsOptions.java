package io.heddle.bench.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The options of the channels report. */
final class ChannelsOptions {
  private static final String USAGE =
      "allowed are --quick, --alloc, --procs 1|2, --rounds 1…1000, --works "
          + Arrays.stream(ChannelWorkload.values())
              .map(work -> work.method)
              .collect(Collectors.joining(","));

  private boolean quick;
  private boolean alloc;
  private List<Integer> procs = List.of(1, 2);
  private int rounds;
  private Set<ChannelWorkload> works = Set.of();

  private ChannelsOptions() {}

  /**
   * Parses the arguments; throws {@link IllegalArgumentException} with a message for the user if
   * they are wrong.
   */
  static ChannelsOptions parse(List<String> args) {
    ChannelsOptions options = new ChannelsOptions();
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      options.add(rest.next(), rest);
    }
    return options;
  }

  /** Whether one short fork is enough, because byte counts do not vary. */
  boolean isShort() {
    return quick || alloc;
  }

  /** Whether bytes are measured instead of nanoseconds. */
  boolean alloc() {
    return alloc;
  }

  List<Integer> procs() {
    return procs;
  }

  int rounds() {
    if (rounds > 0) {
      return rounds;
    }
    return isShort() ? 1 : 5;
  }

  /**
   * The workloads that the user named; by default all, but without the bytes of skynet, which take
   * too long.
   */
  Set<ChannelWorkload> works() {
    if (!works.isEmpty()) {
      return works;
    }
    return alloc
        ? EnumSet.complementOf(EnumSet.of(ChannelWorkload.SKYNET))
        : EnumSet.allOf(ChannelWorkload.class);
  }

  private void add(String name, Iterator<String> rest) {
    switch (name) {
      case "--quick" -> quick = true;
      case "--alloc" -> alloc = true;
      case "--procs" -> procs = List.of(number(name, rest, 2));
      case "--rounds" -> rounds = number(name, rest, 1_000);
      case "--works" -> works = works(value(name, rest));
      default -> throw new IllegalArgumentException("unknown argument '" + name + "': " + USAGE);
    }
  }

  private static int number(String name, Iterator<String> rest, int most) {
    String value = value(name, rest);
    int n = value.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(value) : 0;
    if (n < 1 || n > most) {
      throw new IllegalArgumentException(
          name + " '" + value + "': allowed is a number from 1 to " + most);
    }
    return n;
  }

  private static Set<ChannelWorkload> works(String value) {
    List<String> unknown = new ArrayList<>(List.of(value.split(",", -1)));
    Set<ChannelWorkload> chosen = EnumSet.noneOf(ChannelWorkload.class);
    for (ChannelWorkload work : ChannelWorkload.values()) {
      if (unknown.removeIf(work.method::equals)) {
        chosen.add(work);
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("--works '" + unknown.getFirst() + "': " + USAGE);
    }
    return chosen;
  }

  private static String value(String name, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(name + " needs a value: " + USAGE);
    }
    return rest.next();
  }
}
