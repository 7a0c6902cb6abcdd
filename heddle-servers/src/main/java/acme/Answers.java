package acme;

import java.util.concurrent.TimeUnit;

/** The answers of every server in this module to {@code /path?n=number}. */
public final class Answers {
  private Answers() {}

  /** Returns the answer; null if the path is unknown. */
  public static String to(String path, String query) throws InterruptedException {
    return to(path, Long.parseLong(query.substring("n=".length())));
  }

  /** Returns the answer; null if the path is unknown. */
  public static String to(String path, long n) throws InterruptedException {
    return switch (path) {
      case "/square" -> Long.toString(n * n);
      case "/thread" -> Thread.currentThread().toString();
      case "/wait" -> waitFor(n);
      case "/compute" -> computeFor(n);
      default -> null;
    };
  }

  /** Waits, as a request waits for a back end. */
  private static String waitFor(long millis) throws InterruptedException {
    Thread.sleep(millis);
    return "waited for " + millis + " ms";
  }

  private static String computeFor(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long x = 1;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < 1000; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
    }
    return x == 0 ? "never" : "computed for " + millis + " ms";
  }
}
