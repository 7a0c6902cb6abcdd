package io.heddle.internal.trace;

import io.heddle.internal.base.FastRandom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long runnable goroutines wait for a P, with a sample of one in 64.
 *
 * <p>A scheduler has an instance only while an observer measures. Without an instance the scheduler
 * only reads a field that is null.
 */
public final class SchedLatency {
  /*
   * A goroutine has no field for the time. The goroutines of the sample are in a small table, each
   * at the index that its id gives. A goroutine is not followed if its index is taken.
   *
   * Ordering: waits writes the time, then the goroutine (release); runs reads the goroutine
   * (acquire), then the time. The M that took the goroutine from its queue calls runs, after waits
   * has returned, so no other thread clears that index meanwhile.
   *
   * Checked by: SchedLatencyTest.
   */
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);

  private static final int ONE_IN = 64;
  private static final int PLACES = 256;

  /**
   * The binary logarithm of the number of buckets for each power of two of nanoseconds. With four
   * buckets a percentile is at most a quarter too high.
   */
  private static final int PARTS_SHIFT = 2;

  private static final int BUCKETS = 64 << PARTS_SHIFT;

  private final @Nullable Object[] followed = new Object[PLACES];
  private final long[] since = new long[PLACES];
  private final AtomicIntegerArray counts = new AtomicIntegerArray(BUCKETS);

  /**
   * Called when a goroutine has become runnable. {@code random} is the generator of the calling M;
   * null if the caller is not an M.
   */
  public void waits(@Nullable FastRandom random, Object goroutine, long id) {
    int n = random == null ? ThreadLocalRandom.current().nextInt() : random.next();
    if ((n & (ONE_IN - 1)) == 0) {
      follow(goroutine, id);
    }
  }

  void follow(Object goroutine, long id) {
    int place = placeOf(id);
    if (PLACE.getAcquire(followed, place) == null) {
      since[place] = System.nanoTime();
      PLACE.setRelease(followed, place, goroutine);
    }
  }

  /** Called when a goroutine is about to run: counts its wait if the goroutine is in the sample. */
  public void runs(Object goroutine, long id) {
    int place = placeOf(id);
    if (PLACE.getAcquire(followed, place) == goroutine) {
      long waited = System.nanoTime() - since[place];
      PLACE.setRelease(followed, place, null);
      counts.incrementAndGet(bucketOf(waited));
    }
  }

  /**
   * Returns the number of waits in each bucket that were measured since the last call. {@link
   * #upTo} gives the end of a bucket.
   */
  public int[] take() {
    int[] taken = new int[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      taken[i] = counts.getAndSet(i, 0);
    }
    return taken;
  }

  /** Returns the upper end of a bucket, in nanoseconds. */
  public static long upTo(int bucket) {
    int power = bucket >> PARTS_SHIFT;
    long part = 1L + (bucket & ((1 << PARTS_SHIFT) - 1));
    return power < PARTS_SHIFT ? 2L << power : (1L << power) + (part << (power - PARTS_SHIFT));
  }

  static int bucketOf(long nanos) {
    long n = Math.max(1, nanos);
    int power = 63 - Long.numberOfLeadingZeros(n);
    int part =
        power < PARTS_SHIFT ? 0 : (int) (n >>> (power - PARTS_SHIFT)) & ((1 << PARTS_SHIFT) - 1);
    return (power << PARTS_SHIFT) + part;
  }

  /**
   * Returns the index of a goroutine in the table. Goroutines with neighbouring ids get different
   * indexes.
   */
  private static int placeOf(long id) {
    return (int) id & (PLACES - 1);
  }
}
