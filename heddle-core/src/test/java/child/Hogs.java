package child;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs twice as many endless loops as there are processors, and a ticker. Prints the number of
 * ticks, the gaps between them, and the progress of each loop. {@code Hogs heddle 200 3} ends after
 * 200 ticks and 3 seconds, {@code Hogs jdk} after two seconds.
 */
public final class Hogs {
  private static final int PROCS = 2;
  private static final int HOGS = 2 * PROCS;
  private static final int APART = 16; // longs, so that no two loops write the same cache line
  private static final long SECONDS_2 = 2_000_000_000;

  private static final long[] PROGRESS = new long[(HOGS + 1) * APART];
  private static volatile long sink;

  private Hogs() {}

  public static void main(String[] args) {
    boolean heddle = args[0].equals("heddle");
    ThreadFactory factory =
        heddle
            ? Scheduler.builder().procs(PROCS).build().threadFactory()
            : Thread.ofVirtual().factory();
    Queue<Long> gaps = new ConcurrentLinkedQueue<>();
    long start = System.nanoTime();
    for (int i = 0; i < HOGS; i++) {
      int number = i;
      factory.newThread(() -> hog(number)).start();
    }
    factory.newThread(() -> tick(gaps)).start();
    if (heddle) {
      int wanted = Integer.parseInt(args[1]);
      long least = TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
      await(() -> gaps.size() >= wanted && System.nanoTime() - start >= least);
    } else {
      await(() -> System.nanoTime() - start >= SECONDS_2);
    }
    print(gaps);
    System.exit(0); // the loops are endless
  }

  /** Calls nothing, so the scheduler cannot stop it at a call. */
  private static void hog(int number) {
    long x = number;
    for (long n = 1; n != 0; n++) {
      x = x * 6364136223846793005L + 1;
      if ((n & 0xffff) == 0) {
        PROGRESS[number * APART] = n;
      }
    }
    sink = x;
  }

  private static void tick(Queue<Long> gaps) {
    long last = System.nanoTime();
    try {
      while (true) {
        Go.sleep(Duration.ofMillis(1));
        long now = System.nanoTime();
        gaps.add(now - last);
        last = now;
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void print(Queue<Long> gaps) {
    long[] sorted = gaps.stream().mapToLong(Long::longValue).sorted().toArray();
    long p99 = sorted.length == 0 ? 0 : sorted[sorted.length * 99 / 100];
    System.out.println("ticks=" + sorted.length);
    System.out.println("p99micros=" + p99 / 1_000);
    System.out.println(
        "progress="
            + IntStream.range(0, HOGS)
                .mapToObj(i -> Long.toString(PROGRESS[i * APART]))
                .collect(Collectors.joining(",")));
    System.out.println("sum=" + Arrays.stream(PROGRESS).sum());
  }
}
