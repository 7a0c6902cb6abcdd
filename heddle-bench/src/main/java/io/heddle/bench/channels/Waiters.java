package io.heddle.bench.channels;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.WaitGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Measures whether waking is linear in the number of goroutines that wait at one channel:
 * nanoseconds per waiter from the moment when all wait until all are done, on one P.
 * {@code java -jar benchmarks.jar waiters}.
 */
public final class Waiters {
  private static final int[] SIZES = {100, 1_000, 10_000};

  /** Waiters per size and round, so that each size does the same amount of work. */
  private static final int WAITERS = 20_000;

  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 15;

  /** How the waiters are woken. */
  enum WakeMethod {
    /** One value per waiter. */
    SEND,
    /** One close for all waiters. */
    CLOSE,
    /**
     * One interrupt per waiter, the latest waiter first, so that each leaves the queue at its tail.
     */
    INTERRUPT,
    /**
     * Each waiter also waits in a select for a second channel and gets a value there, the latest
     * waiter first.
     */
    SELECT_OTHER
  }

  private Waiters() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("waiters: unknown argument '" + args[0] + "': waiters takes no arguments");
      System.exit(2);
    }
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(Waiters::report);
    }
  }

  private static void report() throws Exception {
    System.out.println("| ns per waiter | " + header() + " |");
    System.out.println("|---" + "|--:".repeat(SIZES.length) + "|");
    for (WakeMethod way : WakeMethod.values()) {
      StringBuilder line = new StringBuilder("| " + way.name().toLowerCase(Locale.ROOT));
      measure(way).values().forEach(each -> line.append(" | ").append(each.show(0)));
      System.out.println(line.append(" |"));
    }
  }

  private static String header() {
    return String.join(" | ", Arrays.stream(SIZES).mapToObj(n -> n + " wait").toList());
  }

  /** Measures the sizes in turns. */
  private static Map<Integer, CellFigures> measure(WakeMethod way) throws Exception {
    Map<Integer, CellFigures> scores = new TreeMap<>();
    for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
      for (int n : SIZES) {
        double nanos = nanosPerWaiter(way, n, WAITERS / n);
        if (round >= WARM_UPS) {
          scores.computeIfAbsent(n, _ -> new CellFigures()).add(nanos);
        }
      }
    }
    return scores;
  }

  /** Must be called from a goroutine of a scheduler with one P. */
  static double nanosPerWaiter(WakeMethod way, int n, int times) throws Exception {
    long nanos = 0;
    for (int i = 0; i < times; i++) {
      nanos += new WaiterGroup(way, n).nanos();
    }
    return (double) nanos / n / times;
  }

  /** The goroutines that wait at one channel. */
  private static final class WaiterGroup {
    private final WakeMethod way;
    private final Chan<Integer> chan = Chan.make();
    private final List<Chan<Integer>> others = new ArrayList<>();
    private final List<Goroutine> waiters = new ArrayList<>();
    private final WaitGroup through = new WaitGroup();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    WaiterGroup(WakeMethod way, int n) {
      this.way = way;
      for (int i = 0; i < n; i++) {
        waiters.add(start());
      }
    }

    long nanos() throws InterruptedException {
      awaitAllWaiting();
      long start = System.nanoTime();
      letThemGo();
      through.await();
      long nanos = System.nanoTime() - start;
      check();
      return nanos;
    }

    private Goroutine start() {
      if (way != WakeMethod.SELECT_OTHER) {
        return through.go(this::receive);
      }
      Chan<Integer> other = Chan.make();
      others.add(other);
      Case<?>[] cases = {Select.recv(chan), Select.recv(other)};
      return through.go(() -> count(Select.select(cases).value()));
    }

    private void receive() {
      try {
        count(chan.receive());
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
      }
    }

    /** Null: the channel was closed. */
    private void count(@Nullable Object v) {
      if (v != null) {
        received.incrementAndGet();
      }
    }

    private void awaitAllWaiting() {
      while (waiters.stream().anyMatch(each -> each.state() != Goroutine.State.WAITING)) {
        Go.gosched();
      }
    }

    private void letThemGo() throws InterruptedException {
      switch (way) {
        case SEND -> {
          for (int i = 0; i < waiters.size(); i++) {
            chan.send(1);
          }
        }
        case CLOSE -> chan.close();
        case INTERRUPT -> waiters.reversed().forEach(Goroutine::interrupt);
        case SELECT_OTHER -> {
          for (Chan<Integer> other : others.reversed()) {
            other.send(1);
          }
        }
      }
    }

    private void check() {
      int values = way == WakeMethod.SEND || way == WakeMethod.SELECT_OTHER ? waiters.size() : 0;
      int interrupts = way == WakeMethod.INTERRUPT ? waiters.size() : 0;
      if (received.get() != values || interrupted.get() != interrupts) {
        throw new IllegalStateException(
            way + ": " + received + " values, " + interrupted + " interrupts");
      }
    }
  }
}
