package child;

import io.heddle.Go;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/**
 * Computes in goroutines that share one P and are preempted often, on the JDK's own virtual
 * threads, and on platform threads. Prints the results, which must be the same each time, with
 * woven code and without.
 */
public final class Workloads {
  private static final int EACH = 3;

  private Workloads() {}

  public static void main(String[] args) throws Exception {
    Scheduler scheduler =
        Scheduler.builder().name("mill").procs(1).timeSlice(Duration.ofMillis(1)).build();
    List<FutureTask<String>> tasks = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      for (Callable<String> work : works()) {
        FutureTask<String> task = new FutureTask<>(work);
        tasks.add(task);
        scheduler.go(task::run);
        FutureTask<String> twin = new FutureTask<>(work);
        tasks.add(twin);
        (i == 0 ? Thread.ofPlatform() : Thread.ofVirtual()).start(twin);
      }
    }
    for (FutureTask<String> task : tasks) {
      System.out.println(task.get());
    }
    System.out.println(interrupted(scheduler));
  }

  private static List<Callable<String>> works() {
    return List.of(
        () -> "primes " + primes(200_000),
        () -> "sort " + Arrays.hashCode(sorted(20_000)),
        () -> "matrix " + matrix(90),
        () -> "words " + words(2_000),
        () -> "fib " + fib(27),
        () -> "labels " + labels(400),
        () -> "trace " + trace(300),
        () -> "overflow " + overflow(),
        () -> "monitor " + monitor(300_000));
  }

  private static int primes(int below) {
    boolean[] composite = new boolean[below];
    int count = 0;
    for (int i = 2; i < below; i++) {
      if (!composite[i]) {
        count++;
        for (long j = (long) i * i; j < below; j += i) {
          composite[(int) j] = true;
        }
      }
    }
    return count;
  }

  private static int[] sorted(int n) {
    int[] a = new int[n];
    int seed = 7;
    for (int i = 0; i < n; i++) {
      seed = seed * 1103515245 + 12345;
      a[i] = seed;
    }
    for (int gap = n / 2; gap > 0; gap /= 2) {
      for (int i = gap; i < n; i++) {
        int x = a[i];
        int j = i;
        while (j >= gap && a[j - gap] > x) {
          a[j] = a[j - gap];
          j -= gap;
        }
        a[j] = x;
      }
    }
    return a;
  }

  private static double matrix(int n) {
    double[][] a = new double[n][n];
    double[][] b = new double[n][n];
    double trace = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = i + j;
        b[i][j] = i - j;
      }
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += a[i][k] * b[k][j];
        }
        trace += i == j ? sum : 0;
      }
    }
    return trace;
  }

  private static String words(int n) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      String word =
          switch (i % 5) {
            case 0 -> "zero";
            case 1, 2 -> "some" + i % 3;
            default -> i % 2 == 0 ? "even" : "odd";
          };
      counts.merge(word, 1, Integer::sum);
    }
    List<String> keys = new ArrayList<>(counts.keySet());
    Collections.reverse(keys);
    return keys + " " + counts;
  }

  private static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }

  private static int labels(int n) {
    int found = 0;
    outer:
    for (int i = 0; i < n; i++) {
      for (int j = 0; ; j++) {
        if (j * j > i) {
          continue outer;
        }
        if (j * j == i) {
          found++;
          if (found > 100) {
            break outer;
          }
        }
      }
    }
    return found;
  }

  /** Throws an exception out of a nested loop and reports the line it came from. */
  private static String trace(int n) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
      try {
        for (int j = 0; j < n; j++) {
          if (i * j == 2_500) {
            throw new IllegalStateException("at " + i + "," + j);
          }
        }
      } catch (IllegalStateException e) {
        StackTraceElement top = e.getStackTrace()[0];
        text.append(e.getMessage()).append(':').append(top.getLineNumber()).append(' ');
      } finally {
        text.append(i % 100 == 0 ? "." : "");
      }
    }
    return text.toString();
  }

  private static String overflow() {
    try {
      return "none" + down(0);
    } catch (StackOverflowError e) {
      // Not the top frame: a call made by down, or woven into it, may cause the overflow.
      StackTraceElement below = e.getStackTrace()[9];
      return below.getMethodName() + " " + below.getLineNumber();
    }
  }

  private static int down(int n) {
    return 1 + down(n + 1);
  }

  private static final Object LOCK = new Object();

  private static int monitor(int n) {
    int x = 0;
    synchronized (LOCK) {
      for (int i = 0; i < n; i++) {
        x = 31 * x + i;
      }
    }
    return x;
  }

  /**
   * Interrupts a goroutine that computes. The goroutine must see the flag, and only the goroutine
   * may clear it.
   */
  private static String interrupted(Scheduler scheduler) throws Exception {
    FutureTask<String> hog =
        new FutureTask<>(
            () -> {
              long n = 0;
              while (!Thread.currentThread().isInterrupted()) {
                n++;
              }
              return "interrupted " + Thread.interrupted() + " " + (n > 0);
            });
    var goroutine = scheduler.go(hog::run);
    scheduler
        .go(
            () -> {
              Go.sleep(Duration.ofMillis(20));
              goroutine.interrupt();
            })
        .join();
    return hog.get();
  }
}
