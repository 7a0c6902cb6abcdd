package io.heddle.bench.rows;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests that are due at a fixed rate, whatever the peer does. A request computes, and its time
 * counts from the moment at which it was due. Each twin of the rows {@code background} and {@code
 * overload} does the same.
 */
final class RequestLoad {
  /** A client gives up after this time: later answers are no good. */
  static final long PATIENCE_NANOS = 500_000_000;

  /** If no request ends for this time, the others never get a CPU. */
  private static final int STANDSTILL_MILLIS = 1_000;

  private static final long CALIBRATION_NANOS = 300_000_000;
  private static final int CHUNK = 10_000;

  private static volatile long sink;

  /** How many iterations of {@link #spin} take a microsecond on an idle CPU. */
  private final double iterationsPerMicro = calibrate();

  /**
   * What became of the requests.
   *
   * @param p99Nanos of those that were accepted
   * @param good how many were answered before their client gave up
   */
  record Outcome(double p99Nanos, int good, int accepted) {}

  /**
   * Offers {@code perSecond} requests for {@code millis} milliseconds, and waits until all of them
   * have ended. A request that never runs has no finite time.
   */
  Outcome offer(Rows.Requests peer, double perSecond, int millis, int micros) throws Exception {
    int n = (int) (perSecond * millis / 1_000);
    long iterations = iterations(micros);
    double[] nanos = new double[n];
    Arrays.fill(nanos, Double.POSITIVE_INFINITY); // a request that has not ended
    AtomicInteger accepted = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(n);
    long start = System.nanoTime();
    for (int i = 0; i < n; i++) {
      long due = start + (long) (i * 1e9 / perSecond);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      peer.start(
          () -> {
            if (peer.admits()) {
              spin(iterations);
              nanos[accepted.getAndIncrement()] = System.nanoTime() - due;
            }
            all.countDown();
          });
    }
    boolean isComplete = all.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS) || backlogEnds(all);
    double[] sorted = Arrays.copyOf(nanos, isComplete ? accepted.get() : n);
    Arrays.sort(sorted);
    int good = (int) Arrays.stream(sorted).filter(each -> each < PATIENCE_NANOS).count();
    double p99 = sorted.length == 0 ? 0 : sorted[sorted.length * 99 / 100];
    return new Outcome(p99, good, sorted.length);
  }

  /** Waits until all requests have ended; false if no request ends for a time. */
  private static boolean backlogEnds(CountDownLatch all) throws InterruptedException {
    for (long before = all.getCount(); before > 0; before = all.getCount()) {
      if (!all.await(STANDSTILL_MILLIS, TimeUnit.MILLISECONDS) && all.getCount() == before) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many requests per second the peer answers if {@code users} ask all the time. */
  double capacity(Rows.Requests peer, int users, int millis, int micros) throws Exception {
    long iterations = iterations(micros);
    LongAdder answers = new LongAdder();
    CountDownLatch all = new CountDownLatch(users);
    long end = System.nanoTime() + millis * 1_000_000L;
    for (int u = 0; u < users; u++) {
      askAgain(peer, iterations, end, answers, all);
    }
    all.await();
    return answers.sum() * 1_000.0 / millis;
  }

  private static void askAgain(
      Rows.Requests peer, long iterations, long end, LongAdder answers, CountDownLatch all) {
    peer.start(
        () -> {
          if (System.nanoTime() - end >= 0) {
            all.countDown();
            return;
          }
          spin(iterations);
          answers.increment();
          askAgain(peer, iterations, end, answers, all);
        });
  }

  /** Runs {@code tasks} batch tasks beside {@code work}; returns their chunks per second. */
  static double beside(Rows.Requests peer, int tasks, Work work) throws Exception {
    LongAdder chunks = new LongAdder();
    CountDownLatch all = new CountDownLatch(tasks);
    AtomicBoolean over = new AtomicBoolean();
    for (int t = 0; t < tasks; t++) {
      peer.startBatch(
          () -> {
            while (!over.get()) {
              spin(CHUNK);
              chunks.increment();
            }
            all.countDown();
          });
    }
    long start = System.nanoTime();
    long before = chunks.sum();
    work.run();
    double rate = (chunks.sum() - before) * 1e9 / (System.nanoTime() - start);
    over.set(true);
    all.await();
    return rate;
  }

  /** What happens beside batch tasks. */
  interface Work {
    void run() throws Exception;
  }

  private long iterations(int micros) {
    return (long) (micros * iterationsPerMicro);
  }

  private static double calibrate() {
    long count = 0;
    long start = System.nanoTime();
    long now = start;
    for (int half = 0; half < 2; half++) { // the first half warms up
      count = 0;
      start = now;
      for (; now - start < CALIBRATION_NANOS; now = System.nanoTime()) {
        spin(CHUNK);
        count += CHUNK;
      }
    }
    return count * 1e3 / (now - start);
  }

  private static void spin(long iterations) {
    long x = iterations;
    for (long i = 0; i < iterations; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    sink = x;
  }
}
