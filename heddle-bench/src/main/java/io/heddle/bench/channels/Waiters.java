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
 * Whether time is linear in the number of those that wait at one channel: nanoseconds per waiter from the moment that all
 * wait to the moment that all are through, on one P. {@code java -jar benchmarks.jar waiters}.
 */
public final class Waiters {
  private static final int[] SIZES = {100, 1_000, 10_000};

  /** Per size and round, so that each size does as much. */
  private static final int WAITERS = 20_000;

  private static final int WARM_UPS = 5;
  private static final int ROUNDS = 15;

  /** How they are made to go on. */
  enum Way {
    /** A value for each. */
    SEND,
    /** One close for all. */
    CLOSE,
    /** An interrupt for each, the last that came first: each leaves the queue from its other end. */
    INTERRUPT,
    /** Each waits in a select for a second channel, too, and gets a value there, the last that came first. */
    SELECT_OTHER
  }

  private Waiters() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("waiters: unknown argument '" + args[0] + "': there are none");
      System.exit(2);
    }
    try (Scheduler scheduler = Scheduler.builder().procs(1).build()) {
      scheduler.run(Waiters::report);
    }
  }

  private static void report() throws Exception {
    System.out.println("| ns per waiter | " + header() + " |");
    System.out.println("|---" + "|--:".repeat(SIZES.length) + "|");
    for (Way way : Way.values()) {
      StringBuilder line = new StringBuilder("| " + way.name().toLowerCase(Locale.ROOT));
      measure(way).values().forEach(each -> line.append(" | ").append(each.show(0)));
      System.out.println(line.append(" |"));
    }
  }

  private static String header() {
    return String.join(" | ", Arrays.stream(SIZES).mapToObj(n -> n + " wait").toList());
  }

  /** The sizes take turns. */
  private static Map<Integer, Scores> measure(Way way) throws Exception {
    Map<Integer, Scores> scores = new TreeMap<>();
    for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
      for (int n : SIZES) {
        double nanos = nanosPerWaiter(way, n, WAITERS / n);
        if (round >= WARM_UPS) {
          scores.computeIfAbsent(n, _ -> new Scores()).add(nanos);
        }
      }
    }
    return scores;
  }

  /** From a goroutine of a scheduler with one P. */
  static double nanosPerWaiter(Way way, int n, int times) throws Exception {
    long nanos = 0;
    for (int i = 0; i < times; i++) {
      nanos += new Crowd(way, n).nanos();
    }
    return (double) nanos / n / times;
  }

  /** Those that wait at one channel. */
  private static final class Crowd {
    private final Way way;
    private final Chan<Integer> chan = Chan.make();
    private final List<Chan<Integer>> others = new ArrayList<>();
    private final List<Goroutine> waiters = new ArrayList<>();
    private final WaitGroup through = new WaitGroup();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    Crowd(Way way, int n) {
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
      if (way != Way.SELECT_OTHER) {
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

    /** Null: closed. */
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
      int values = way == Way.SEND || way == Way.SELECT_OTHER ? waiters.size() : 0;
      int interrupts = way == Way.INTERRUPT ? waiters.size() : 0;
      if (received.get() != values || interrupted.get() != interrupts) {
        throw new IllegalStateException(
            way + ": " + received + " values, " + interrupted + " interrupts");
      }
    }
  }
}
