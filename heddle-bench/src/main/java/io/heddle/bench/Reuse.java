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
 * Measures what reusing dead Gs (rule G3) could save: an object of a G's shape is allocated, or
 * taken from and returned to a list that only one P uses. {@code Report} leaves it out; run it with
 * {@code org.openjdk.jmh.Main Reuse}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@SuppressWarnings("NullAway") // fields as a G has them; no code reads them
public class Reuse {
  /** The number of objects in use at the same time: as many as a ring holds. */
  private static final int IN_FLIGHT = 256;

  private final GShape[] inFlight = new GShape[IN_FLIGHT];
  private final GShape[] free = new GShape[2 * IN_FLIGHT];
  private int freeCount;
  private int at;

  @Benchmark
  public Object allocate() {
    GShape fresh = new GShape();
    fresh.reset(this);
    inFlight[at++ % IN_FLIGHT] = fresh;
    return fresh;
  }

  @Benchmark
  public Object reuse() {
    int slot = at++ % IN_FLIGHT;
    GShape dead = inFlight[slot];
    if (dead != null) {
      free[freeCount++] = dead;
    }
    GShape taken = freeCount > 0 ? free[--freeCount] : new GShape();
    taken.reset(this);
    inFlight[slot] = taken;
    return taken;
  }

  /** The fields of a G. */
  private static final class GShape {
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
