package io.heddle.bench.rows;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Records the gaps between ticks. The time before the first and after the last tick also counts, so
 * that a ticker that never ran has one gap, which is the whole time.
 */
public final class TickGaps {
  private final AtomicBoolean over = new AtomicBoolean();
  private final double[] nanos;
  private int count;
  private long last;

  public TickGaps(int most) {
    nanos = new double[most + 1];
  }

  /** Must be called before the ticker starts. */
  public void start() {
    last = System.nanoTime();
  }

  /**
   * Called only by the ticker: records a tick and returns whether to go on. A tick after the end is
   * not recorded.
   */
  public boolean tick() {
    if (over.get() || count == nanos.length - 1) {
      return false;
    }
    add();
    return true;
  }

  /** Ends the loops and the ticker; any thread may call it. */
  public void end() {
    over.set(true);
  }

  public boolean isOver() {
    return over.get();
  }

  /** The figures; to be read after the ticker has ended. */
  Map<String, Double> figures() {
    int ticks = count;
    add();
    double[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return Map.of(
        "ticks", (double) ticks,
        "p50", sorted[count / 2],
        "p99", sorted[count * 99 / 100],
        "max", sorted[count - 1]);
  }

  private void add() {
    long now = System.nanoTime();
    nanos[count++] = now - last;
    last = now;
  }
}
