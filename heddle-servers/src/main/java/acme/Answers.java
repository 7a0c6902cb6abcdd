package acme;

import java.util.concurrent.TimeUnit;

/** What every server here answers to {@code /path?n=number}, whatever it is made of. */
public final class Answers {
  private Answers() {}

  /** Null: there is no such path. */
  public static String to(String path, String query) throws InterruptedException {
    return to(path, Long.parseLong(query.substring("n=".length())));
  }

  /** Null: there is no such path. */
  public static String to(String path, long n) throws InterruptedException {
    return switch (path) {
      case "/square" -> Long.toString(n * n);
      case "/thread" -> Thread.currentThread().toString();
      case "/wait" -> waitFor(n);
      case "/compute" -> computeFor(n);
      default -> null;
    };
  }

  /** As for a back end that takes its time. */
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
