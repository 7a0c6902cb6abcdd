package io.heddle.internal.watch;

import io.heddle.internal.base.SystemThreadGroup;
import io.heddle.internal.jdk.JdkCarriers;
import io.heddle.internal.jfr.JfrEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Watches how long virtual threads wait for a carrier of the JDK's scheduler, and what holds the
 * carriers meanwhile.
 *
 * <p>The watch is a platform thread, which wakes a probe once per interval. The probe is a virtual
 * thread. If it has not run when the interval is over, no carrier was free for it: this is a
 * starvation, unless a sample shows an idle carrier ({@link OpenWait}). Until the probe has run,
 * the watch takes samples, at most one per interval. A sample reads the stacks of the carriers and
 * the queues of the JDK's scheduler.
 */
public final class CarrierWatch {
  /*
   * Cost. At rest it is one wake-up of the watch's thread and one of the probe per interval. During
   * a starvation it is also the samples: reading the stack of a carrier stops that carrier for some
   * microseconds. A sample that took time t is followed by a pause of REST_FACTOR * t. So samples
   * take at most five per cent of one CPU, and only during starvations. The pause is at most
   * MOST_REST intervals, because on a busy machine t is mostly time in which the watch did not run.
   *
   * Every method but start, close and report runs on the watch's thread. The results are guarded by
   * the monitor of this object.
   *
   * Checked by: WatchTest.
   */
  public static final long DEFAULT_INTERVAL_NANOS = 20_000_000;

  private static final int REST_FACTOR = 20;

  private static final int MOST_REST = 10;

  /** The largest number of waiting threads that one sample records by name. */
  private static final int MOST_QUEUED = 256;

  private static final int MOST_GROUPS = 1_000;
  private static final String TOO_MANY = "(others)";

  private final long interval;
  private final WatchProbe probe = new WatchProbe();
  private final CarrierSampler sampler;
  private final long startedAt = System.nanoTime();
  private volatile boolean closed;
  private @Nullable Thread thread;

  // The results, guarded by this.
  private final WaitHistogram waits = new WaitHistogram();
  private final Map<String, HolderSum> holders = new HashMap<>();
  private final Map<String, WaiterSum> waiters = new HashMap<>();
  private long starvations;
  private long starved;
  private long mostQueued;
  private long lateLooks;

  // The present starvation: no carrier is free for the probe. Cleared when the probe has run. Only
  // the watch's thread uses these fields.
  private final Map<Long, Long> seenWaiting = new HashMap<>(); // thread id -> first seen, in ns
  private final Map<String, Long> heldNow = new HashMap<>(); // CarrierHold.key -> ns held
  private final OpenWait openWait = new OpenWait();
  private long lastLook; // the time of the last sample; 0 before the first one
  private long queuedNow; // the largest number of waiting threads in one sample

  private long nextLook; // the earliest time of the next sample; only the watch's thread uses it

  /**
   * Whether a sample has found all carriers held since the probe was last woken. Guarded by this.
   */
  private boolean starving;

  /**
   * The sum of the samples with the same {@link CarrierHold#key}: one kind of hold in one method.
   */
  private static final class HolderSum {
    final CarrierHold first;
    final Map<String, Long> places = new HashMap<>();
    long held;
    long samples;

    HolderSum(CarrierHold first) {
      this.first = first;
    }

    void add(CarrierHold hold, long nanos) {
      held += nanos;
      samples++;
      if (places.size() < MOST_GROUPS) {
        places.merge(hold.place(), 1L, Long::sum);
      }
    }

    WatchReport.HeldPlace result() {
      String place =
          places.entrySet().stream()
              .max(Map.Entry.comparingByValue())
              .map(Map.Entry::getKey)
              .orElse(first.place());
      return new WatchReport.HeldPlace(
          first.kind().word, place, held, samples, first.thread(), first.stack());
    }
  }

  /**
   * The waiting threads whose names are equal except for numbers: their number, and the longest
   * wait that samples have shown.
   */
  private static final class WaiterSum {
    long threads;
    long longest;
  }

  private CarrierWatch(long interval, JdkCarriers carriers) {
    this.interval = interval;
    this.sampler = new CarrierSampler(carriers, probe);
  }

  /**
   * Starts to watch.
   *
   * @param interval the nanoseconds between two wake-ups of the probe
   * @throws ReflectiveOperationException if this JDK's scheduler has other internals
   */
  public static CarrierWatch start(long interval) throws ReflectiveOperationException {
    CarrierWatch watch = new CarrierWatch(interval, JdkCarriers.open());
    watch.probe.start();
    watch.thread =
        Thread.ofPlatform()
            .group(SystemThreadGroup.get())
            .daemon()
            .name("heddle-watch")
            .start(watch::run);
    return watch;
  }

  /** Ends the watch; {@link #report} still returns what it found. */
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    probe.close();
  }

  private void run() {
    long next = System.nanoTime() + interval;
    probe.ask();
    while (!closed) {
      long now = System.nanoTime();
      if (now - next < 0) {
        LockSupport.parkNanos(this, next - now);
        continue;
      }
      look(now, now - next > interval);
      next = Math.max(next + interval, now + interval / 2);
    }
  }

  private void look(long now, boolean isLate) {
    if (isLate) {
      openWait.late();
      synchronized (this) {
        lateLooks++;
      }
    }
    if (probe.hasAnswered()) {
      ended(probe.waited());
      openWait.reset();
      probe.ask();
    } else if (now - nextLook >= 0 && now - probe.askedAt() >= interval) {
      sample(now);
      long end = System.nanoTime();
      nextLook = end + Math.min((end - now) * REST_FACTOR, interval * MOST_REST);
    }
  }

  /**
   * Records that the probe ran after it had waited for {@code waited} nanoseconds. A long wait that
   * is no starvation is left out: the watch itself ran late, or a carrier was idle.
   */
  private synchronized void ended(long waited) {
    boolean isStarvation = waited >= interval && openWait.isStarvation();
    if (waited < interval || isStarvation) {
      waits.record(waited, interval);
    }
    if (isStarvation) {
      starvations++;
      starved += waited;
      tell(waited);
    }
    lastLook = 0;
    if (starving) {
      starving = false;
      seenWaiting.clear();
      heldNow.clear();
      queuedNow = 0;
    }
  }

  private void tell(long waited) {
    String longest =
        heldNow.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .orElse("");
    HolderSum holder = holders.get(longest);
    JfrEvents.starvation(
        waited,
        queuedNow,
        holder == null ? "" : holder.first.kind().word,
        holder == null ? "" : holder.result().place());
  }

  /**
   * Takes a sample of the carriers and the queues. The sample counts for the time since the last
   * sample, or since the probe was woken if this is the first sample. A sample that finds an idle
   * carrier is not recorded: only {@link OpenWait} learns of it.
   */
  private void sample(long now) {
    List<CarrierHold> holds = sampler.holds();
    List<Thread> waiting = sampler.queued(MOST_QUEUED);
    long queued = Math.max(sampler.queued(), waiting.size());
    long since = lastLook == 0 ? probe.askedAt() : lastLook;
    lastLook = now;
    if (!openWait.sampled(holds.size(), sampler.mostCarriers(), queued)) {
      return;
    }
    synchronized (this) {
      starving = true;
      queuedNow = Math.max(queuedNow, queued);
      mostQueued = Math.max(mostQueued, queued);
      for (CarrierHold hold : holds) {
        HolderSum sum = holders.get(hold.key());
        if (sum == null && holders.size() < MOST_GROUPS) {
          sum = new HolderSum(hold);
          holders.put(hold.key(), sum);
        }
        if (sum != null) {
          sum.add(hold, now - since);
          heldNow.merge(hold.key(), now - since, Long::sum);
        }
      }
      waiting.forEach(each -> countWaiter(each, now));
    }
  }

  private void countWaiter(Thread waiting, long now) {
    String name = waiters.size() < MOST_GROUPS ? groupOf(waiting.getName()) : TOO_MANY;
    WaiterSum sum = waiters.computeIfAbsent(name, _ -> new WaiterSum());
    Long first = seenWaiting.putIfAbsent(waiting.threadId(), now);
    if (first == null) {
      sum.threads++;
    } else {
      sum.longest = Math.max(sum.longest, now - first);
    }
  }

  /**
   * Returns a name with {@code *} for each number, so that numbered threads form one group; {@code
   * (no name)} for an empty name.
   */
  static String groupOf(String name) {
    return name.isEmpty() ? "(no name)" : name.replaceAll("[0-9]+", "*");
  }

  /** Returns what was found so far. */
  public synchronized WatchReport report() {
    List<WatchReport.HeldPlace> held = new ArrayList<>();
    holders.values().forEach(sum -> held.add(sum.result()));
    held.sort(Comparator.comparingLong(WatchReport.HeldPlace::held).reversed());
    List<WatchReport.WaitingThreads> waited = new ArrayList<>();
    waiters.forEach(
        (name, sum) -> waited.add(new WatchReport.WaitingThreads(name, sum.threads, sum.longest)));
    waited.sort(Comparator.comparingLong(WatchReport.WaitingThreads::threads).reversed());
    return new WatchReport(
        System.nanoTime() - startedAt,
        interval,
        sampler.carriers(),
        distribution(),
        starvations,
        starved,
        mostQueued,
        lateLooks,
        held,
        waited);
  }

  /** Returns the distribution of the waits, including that of a starvation that still lasts. */
  private WatchReport.Waits distribution() {
    WaitHistogram all = waits.copy();
    long open = System.nanoTime() - probe.askedAt();
    if (!probe.hasAnswered() && open > interval && starving) {
      all.record(open, interval);
    }
    List<Long> ranges = new ArrayList<>();
    long from = 0;
    for (long limit : WatchReport.Waits.LIMITS) {
      ranges.add(all.between(from, limit * 1_000));
      from = limit * 1_000;
    }
    ranges.add(all.between(from, Long.MAX_VALUE));
    return new WatchReport.Waits(
        all.total(),
        all.percentile(0.5),
        all.percentile(0.9),
        all.percentile(0.99),
        all.percentile(0.999),
        all.longest(),
        ranges,
        all.reading());
  }
}
