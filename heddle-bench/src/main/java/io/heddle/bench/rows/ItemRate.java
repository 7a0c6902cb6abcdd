package io.heddle.bench.rows;

/** Items per second: one task asks whether to go on, another one counts. */
public final class ItemRate {
  private final long start = System.nanoTime();
  private final long nanos;
  private long count;
  private long last = start;

  public ItemRate(int millis) {
    nanos = millis * 1_000_000L;
  }

  /** Before the i-th item: the clock is looked at only now and then. */
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
