package io.heddle.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What reusing dead Gs (rule G3) could save: an object of a G's shape, made anew, or taken from and put back to a list
 * that only one P uses. {@code Report} leaves it out; run it with {@code org.openjdk.jmh.Main Reuse}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("NullAway") // fields as a G has them, which nobody reads
public class Reuse {
  /** As many as are on their way at the same time: a ring's worth. */
  private static final int IN_FLIGHT = 256;

  private final Shape[] inFlight = new Shape[IN_FLIGHT];
  private final Shape[] free = new Shape[2 * IN_FLIGHT];
  private int freeCount;
  private int at;

  @Benchmark
  public Object allocate() {
    Shape fresh = new Shape();
    fresh.reset(this);
    inFlight[at++ % IN_FLIGHT] = fresh;
    return fresh;
  }

  @Benchmark
  public Object reuse() {
    int slot = at++ % IN_FLIGHT;
    Shape dead = inFlight[slot];
    if (dead != null) {
      free[freeCount++] = dead;
    }
    Shape taken = freeCount > 0 ? free[--freeCount] : new Shape();
    taken.reset(this);
    inFlight[slot] = taken;
    return taken;
  }

  /** The fields of a G. */
  private static final class Shape {
    Object link;
    Object sched;
    Object thread;
    Object continuation;
    Object home;
    Object task;
    Object site;
    long id;
    long creator;
    long lastRun;
    int slot;
    int status;
    boolean finished;

    void reset(Object owner) {
      link = null;
      sched = owner;
      thread = owner;
      continuation = owner;
      home = null;
      task = owner;
      site = null;
      id = 0;
      creator = 1;
      lastRun = 0;
      slot = 0;
      status = 0;
      finished = false;
    }
  }
}
