package io.heddle.bench.rows;

/** Counts items per second: one task asks whether to continue, another one counts. */
public final class ItemRate {
  private final long start = System.nanoTime();
  private final long nanos;
  private long count;
  private long last = start;

  public ItemRate(int millis) {
    nanos = millis * 1_000_000L;
  }

  /** Must be called before the i-th item; reads the clock only once in a while. */
  public boolean goesOn(int i) {
    return (i & 63) != 0 || System.nanoTime() - start < nanos;
  }

  public void add() {
    count++;
    if ((count & 63) == 0) {
      last = System.nanoTime();
    }
  }

  public double perSecond() {
    return count * 1e9 / Math.max(last - start, nanos);
  }
}
