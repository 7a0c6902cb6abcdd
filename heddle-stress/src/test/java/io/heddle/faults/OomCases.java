package io.heddle.faults;

import io.heddle.faults.Inject.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The child JVM of {@link OutOfMemoryTest}: counts the sites that the workload reaches, or makes it
 * fail at some of them.
 */
public final class OomCases {
  private static final int WARM_UP = 3;
  static final int COUNTED = 5;

  /** The exit code if a case fails. */
  static final int FOUND = 3;

  /** The number of attempts if a run does not reach the site often enough. */
  private static final int TRIES = 2;

  private OomCases() {}

  /**
   * Arguments: {@code count FILE}, or {@code run FILE FROM}, which runs the cases in the file from
   * the given one until one fails.
   */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < WARM_UP; i++) {
      new OomCase().run();
    }
    if (args[0].equals("count")) {
      count(Path.of(args[1]));
    } else {
      System.exit(run(Files.readAllLines(Path.of(args[1])), Integer.parseInt(args[2]), System.out));
    }
    System.exit(0);
  }

  private static void count(Path file) throws Exception {
    Inject.count(true);
    for (int i = 0; i < COUNTED; i++) {
      new OomCase().run();
    }
    Inject.count(false);
    List<String> lines = new java.util.ArrayList<>(Inject.counted());
    lines.addFirst(Integer.toString(Inject.sites()));
    Files.write(file, lines);
  }

  private static int run(List<String> cases, int from, PrintStream out) throws IOException {
    for (int i = from; i < cases.size(); i++) {
      String[] parts = cases.get(i).split("\t");
      try {
        out.println(i + (isReached(parts) ? " OK" : " MISSED"));
      } catch (Throwable t) {
        out.println(i + " WRONG " + cases.get(i));
        out.println(t.getMessage() == null ? t.toString() : t.getMessage());
        return FOUND;
      }
    }
    return 0;
  }

  private static boolean isReached(String[] parts) throws OomCase.Wrong {
    for (int i = 0; i < TRIES; i++) {
      boolean isArmed =
          Inject.arm(
              parts[0],
              Kind.valueOf(parts[1]),
              Integer.parseInt(parts[2]),
              Integer.parseInt(parts[3]));
      new OomCase().run(); // if not armed, it may load the class of the site
      if (isArmed && Inject.disarm()) {
        return true;
      }
    }
    return false;
  }
}
