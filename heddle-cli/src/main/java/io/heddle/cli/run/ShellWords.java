package io.heddle.cli.run;

import java.util.List;
import java.util.stream.Collectors;

/** Quotes a command line for a shell. */
public final class ShellWords {
  private ShellWords() {}

  public static String of(List<String> command) {
    return command.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
