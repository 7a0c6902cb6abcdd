package child;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Scheduler;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Runs the program that its first argument names, for traces that settings request. */
public final class Traced {
  private static volatile boolean over;

  private Traced() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "two" -> two();
      case "killed" -> killed();
      case "deadlock" -> Go.main(() -> Chan.make().receive());
      case "stall" -> stall();
      case "ask" -> ask(Path.of(args[1]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void two() throws Exception {
    Go.main(() -> Go.go("here", () -> {}).join());
    try (Scheduler other = Scheduler.builder().name("other").build()) {
      other.run(() -> Go.go("there", () -> {}).join());
    }
  }

  /** Sleeps long enough for the trace writer to write once. */
  private static void killed() throws Exception {
    Go.main(
        () -> {
          Go.go(() -> {}).join();
          Go.sleep(Duration.ofMillis(600));
        });
    Runtime.getRuntime().halt(3);
  }

  /**
   * A goroutine computes on the only P with a time slice of an hour, while another goroutine is
   * runnable.
   */
  private static void stall() throws Exception {
    CountDownLatch said = new CountDownLatch(1);
    PrintStream err = System.err;
    System.setErr(
        new PrintStream(err, true) {
          @Override
          public void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            if (new String(bytes, from, length, UTF_8).contains("what led to it")) {
              said.countDown();
            }
          }
        });
    try (Scheduler scheduler =
        Scheduler.builder().procs(1).timeSlice(Duration.ofHours(1)).build()) {
      CountDownLatch started = new CountDownLatch(1);
      scheduler.go(
          "hog",
          () -> {
            scheduler.go("victim", () -> {});
            started.countDown();
            while (!over) {
              Thread.onSpinWait();
            }
          });
      started.await();
      said.await(); // while the hog still has the P
      over = true;
    }
  }

  private static void ask(Path file) throws Exception {
    Go.main(() -> Go.go("asked", () -> {}).join());
    Scheduler.shared().flight(file);
  }
}
