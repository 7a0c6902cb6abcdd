package io.heddle.bench.rows;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How far apart the ticks were. The time before the first and the time after the last count, too, so that a ticker that
 * never ran has one gap: all the time there was.
 */
public final class TickGaps {
  private final AtomicBoolean over = new AtomicBoolean();
  private final double[] nanos;
  private int count;
  private long last;

  public TickGaps(int most) {
    nanos = new double[most + 1];
  }

  /** Before the ticker is started. */
  public void start() {
    last = System.nanoTime();
  }

  /** By the ticker alone. Whether it should go on: not when it is over, and what came then is no tick any more. */
  public boolean tick() {
    if (over.get() || count == nanos.length - 1) {
      return false;
    }
    add();
    return true;
  }

  /** By anybody: the loops end, and the ticker. */
  public void end() {
    over.set(true);
  }

  public boolean isOver() {
    return over.get();
  }

  /** When the ticker has ended. */
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
