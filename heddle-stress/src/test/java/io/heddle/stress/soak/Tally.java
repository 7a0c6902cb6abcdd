package io.heddle.stress.soak;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts operations, times and failures. Any thread may call it at any time. */
final class Tally {
  /** The measured times, in nanoseconds. */
  enum Wait {
    SCHEDULING("from a start to its first instruction"),
    TIMER("a sleep or timer, lateness"),
    CHANNEL("a receive"),
    LOCK("a lock of a Mutex"),
    ECHO("an echo over a socket"),
    PROCS("a change of the number of Ps");

    final String what;

    Wait(String what) {
      this.what = what;
    }
  }

  /** One kind of work. */
  static final class Kind {
    final LongAdder steps = new LongAdder();
    final LongAdder operations = new LongAdder();
    final LongAdder failures = new LongAdder();
  }

  /** Further failures would add no information. */
  private static final int MOST_KEPT = 50;

  private static final long HOUR = 3_600_000_000_000L;

  private final Map<String, Kind> kinds = new ConcurrentSkipListMap<>();
  private final Histogram[] waits = new Histogram[Wait.values().length];
  private final AtomicInteger failures = new AtomicInteger();
  private final Queue<String> kept = new ConcurrentLinkedQueue<>();

  Tally() {
    for (int i = 0; i < waits.length; i++) {
      waits[i] = new ConcurrentHistogram(HOUR, 2);
    }
  }

  Kind kind(String name) {
    return kinds.computeIfAbsent(name, _ -> new Kind());
  }

  Map<String, Kind> kinds() {
    return kinds;
  }

  void waited(Wait what, long nanos) {
    waits[what.ordinal()].recordValue(Math.clamp(nanos, 0, HOUR));
  }

  Histogram waits(Wait what) {
    return waits[what.ordinal()].copy();
  }

  /** Printed immediately, and in the report. */
  void failed(String who, Throwable why) {
    kind(who).failures.increment();
    if (failures.incrementAndGet() <= MOST_KEPT) {
      String text = who + ": " + why;
      kept.add(text);
      synchronized (System.out) {
        System.out.println("FAILURE " + text);
        for (StackTraceElement frame : why.getStackTrace()) {
          System.out.println("    at " + frame);
        }
      }
    }
  }

  int failures() {
    return failures.get();
  }

  Iterable<String> kept() {
    return kept;
  }
}
