package io.heddle.internal.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long runnable goroutines wait for a P. It is always on, because it measures only a
 * sample: one wait in 64.
 *
 * <p>The result is a histogram since the scheduler was made. Reading does not reset it, so each of
 * several readers can subtract its previous reading from the present one.
 */
public final class SchedLatency {
  /*
   * Which waits are in the sample. A goroutine counts how often it became ready (its turn), so each
   * wait has a number: id + turn. The number is multiplied by a constant: 2^32 divided by the
   * golden ratio. The lower 32 bits of the product are spread evenly (a Weyl sequence). A wait is
   * in the sample if the upper six of these bits are zero. Thus both sides of a wait decide the
   * same without communication: the thread that makes the goroutine ready, and the M that runs it.
   * A wait outside the sample costs each side one multiplication and one branch, and touches no
   * memory except the goroutine's status word, which it reads anyway. The golden ratio is
   * irrational, so a program with a period (each eighth wait is for a lock) is sampled fairly. A
   * counter that selects each 64th wait would select only waits at the same place of the period.
   *
   * Why one in 64. A measured wait costs two readings of the clock and two writes to the table (see
   * below), about 60 ns. Spread over 64 waits this is 1 ns of the 130 ns of a switch. Go samples
   * one goroutine in 8, because it reads the clock faster than a JVM. At 1000 switches per second
   * the sample still has 900 waits a minute, enough for a 99th percentile.
   *
   * A goroutine has no field for the time. The goroutines of the sample are in a small table, each
   * at the index that the lower bits of the same product give. A wait is not measured if its index
   * is taken, which becomes likely when more than 64 * PLACES goroutines are runnable.
   *
   * Ordering: the method waits() writes the time, then the goroutine (release). The method runs()
   * reads the goroutine (acquire), then the time. The M that took the goroutine from its queue
   * calls runs(). This happens after waits() has returned and before the goroutine can become ready
   * again. So no other thread clears that index meanwhile.
   *
   * Checked by: SchedLatencyTest, LatencyTest.
   */
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

  /** One wait in this number is measured. */
  public static final int ONE_IN = 64;

  private static final int GOLDEN_RATIO = 0x9E3779B9;

  /**
   * A shift that leaves the upper six bits of 32. A wait is in the sample if these bits are zero.
   */
  private static final int SAMPLE_SHIFT = 26;

  /**
   * A shift that leaves the upper 16 bits of a product. The upper six of these are zero for a wait
   * of the sample, and the other ten are its index in the table.
   */
  private static final int PLACE_SHIFT = 16;

  private static final int PLACES = 1 << (SAMPLE_SHIFT - PLACE_SHIFT);

  /**
   * The upper ends of the buckets within a decade, in tenths of the lowest end. Neighbouring ends
   * differ by at most a third, so a percentile is at most a third too high. 10, 20 and 50 are among
   * them, because {@link #COARSE} needs them.
   */
  private static final int[] TENTHS = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};

  private static final int DECADES = 9;

  /** The upper ends of the buckets, in nanoseconds, from 100 ns to 80 s. */
  private static final long[] BOUNDS = bounds();

  /** The number of buckets; the last one has no upper end. */
  public static final int BUCKETS = BOUNDS.length + 1;

  private static final long SHORTEST_COARSE = 1_000;
  private static final long LONGEST_COARSE = 10_000_000_000L;

  /** The indexes of the bounds that users see: 1, 2 and 5 of each decade from 1 µs to 10 s. */
  private static final int[] COARSE = coarse();

  private final @Nullable Object[] followed = new Object[PLACES];
  private final long[] since = new long[PLACES];
  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
  private final AtomicLong total = new AtomicLong();

  /**
   * The histogram that users see.
   *
   * @param counts the number of waits in each bucket. A bucket ends at one of the {@link
   *     #coarseBounds}; the last bucket has the waits above all bounds.
   * @param totalNanos the sum of all measured waits
   */
  public record Reading(long[] counts, long totalNanos) {
    /**
     * Returns for each bucket the number of waits in that bucket and in all shorter ones. The keys
     * are the upper ends of the buckets, as {@link #upToSeconds} writes them.
     */
    public Map<String, Long> cumulative() {
      Map<String, Long> cumulative = new LinkedHashMap<>();
      long sum = 0;
      for (int i = 0; i < counts.length; i++) {
        sum += counts[i];
        cumulative.put(upToSeconds(i), sum);
      }
      return cumulative;
    }
  }

  /** Whether the wait of goroutine {@code id} that began with {@code turn} is in the sample. */
  public static boolean isSampled(long id, int turn) {
    return product(id, turn) >>> SAMPLE_SHIFT == 0;
  }

  /**
   * Called for a wait of the sample: the goroutine has become runnable, and is not yet in a queue.
   * Does nothing if the index of this wait in the table is taken.
   */
  public void waits(Object goroutine, long id, int turn) {
    int place = placeOf(id, turn);
    if (PLACE.getAcquire(followed, place) == null) {
      since[place] = System.nanoTime();
      PLACE.setRelease(followed, place, goroutine);
    }
  }

  /**
   * Called for a wait of the sample when the goroutine is about to run. Records the wait, unless
   * its index in the table was taken when the wait began.
   */
  public void runs(Object goroutine, long id, int turn) {
    int place = placeOf(id, turn);
    if (PLACE.getAcquire(followed, place) == goroutine) {
      long waited = System.nanoTime() - since[place];
      PLACE.setRelease(followed, place, null);
      record(waited);
    }
  }

  void record(long nanos) {
    counts.incrementAndGet(bucketOf(nanos));
    total.addAndGet(Math.max(0, nanos));
  }

  /**
   * Returns the number of waits in each bucket since the scheduler was made. {@link #upTo} gives
   * the end of a bucket.
   */
  public long[] counts() {
    long[] read = new long[counts.length()];
    Arrays.setAll(read, counts::get);
    return read;
  }

  /** Returns the histogram that users see. */
  public Reading read() {
    long sum = total.get();
    return reading(counts(), sum);
  }

  /**
   * Returns the histogram that users see, with fewer buckets than {@code fine}.
   *
   * @param fine the number of waits in each of the {@link #BUCKETS}
   * @param totalNanos the sum of these waits
   */
  public static Reading reading(long[] fine, long totalNanos) {
    long[] coarse = new long[COARSE.length + 1];
    int bucket = 0;
    for (int i = 0; i < fine.length; i++) {
      if (bucket < COARSE.length && i > COARSE[bucket]) {
        bucket++;
      }
      coarse[bucket] += fine[i];
    }
    return new Reading(coarse, totalNanos);
  }

  /** Returns the upper ends of the buckets that users see, in nanoseconds. */
  public static long[] coarseBounds() {
    return Arrays.stream(COARSE).mapToLong(i -> BOUNDS[i]).toArray();
  }

  /**
   * Returns the upper end of a bucket that users see, in seconds, as metrics write it: {@code +Inf}
   * for the last bucket.
   */
  public static String upToSeconds(int coarse) {
    return coarse < COARSE.length
        ? BigDecimal.valueOf(BOUNDS[COARSE[coarse]], 9).stripTrailingZeros().toPlainString()
        : "+Inf";
  }

  /**
   * Returns the upper end of a bucket, in nanoseconds; {@code Long.MAX_VALUE} for the last bucket.
   */
  public static long upTo(int bucket) {
    return bucket < BOUNDS.length ? BOUNDS[bucket] : Long.MAX_VALUE;
  }

  /** Returns the bucket of a time in nanoseconds. */
  public static int bucketOf(long nanos) {
    int found = Arrays.binarySearch(BOUNDS, nanos);
    return found >= 0 ? found : -found - 1;
  }

  private static int product(long id, int turn) {
    return ((int) id + turn) * GOLDEN_RATIO;
  }

  /** Returns the index in the table for a wait of the sample. */
  private static int placeOf(long id, int turn) {
    return (product(id, turn) >>> PLACE_SHIFT) & (PLACES - 1);
  }

  private static long[] bounds() {
    long[] bounds = new long[DECADES * TENTHS.length];
    long tenth = 10;
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = TENTHS[i % TENTHS.length] * tenth;
      if (i % TENTHS.length == TENTHS.length - 1) {
        tenth *= 10;
      }
    }
    return bounds;
  }

  private static int[] coarse() {
    int[] found = new int[BOUNDS.length];
    int n = 0;
    for (int i = 0; i < BOUNDS.length; i++) {
      int tenths = TENTHS[i % TENTHS.length];
      if (BOUNDS[i] >= SHORTEST_COARSE
          && BOUNDS[i] <= LONGEST_COARSE
          && (tenths == 10 || tenths == 20 || tenths == 50)) {
        found[n++] = i;
      }
    }
    return Arrays.copyOf(found, n);
  }
}
