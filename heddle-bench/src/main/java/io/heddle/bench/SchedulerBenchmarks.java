package io.heddle.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The JMH benchmarks of the schedulers, for a number of Ps or carriers that a subclass gives. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SchedulerWorkloads.OPS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class SchedulerBenchmarks {
  static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";
  static final String PARALLELISM = "-Djdk.virtualThreadScheduler.parallelism=";
  static final String MAX_POOL_SIZE = "-Djdk.virtualThreadScheduler.maxPoolSize=";

  private final int procs;

  @Param VirtualThreadScheduler on;

  SchedulerBenchmarks(int procs) {
    this.procs = procs;
  }

  @Benchmark
  public void spawn() throws Exception {
    on.run(SchedulerWorkloads.spawn(on, 1_000), procs);
  }

  /**
   * The number of threads alive at once: large enough that no thread is still in a cache when its
   * turn comes.
   */
  @Benchmark
  public void spawnMany() throws Exception {
    on.run(SchedulerWorkloads.spawn(on, SchedulerWorkloads.OPS), procs);
  }

  @Benchmark
  @SuppressWarnings("NamedLikeContextualKeyword") // the name of the row
  public void yield() throws Exception {
    on.run(SchedulerWorkloads.yield(on), procs);
  }

  @Benchmark
  public void pingPong() throws Exception {
    on.run(SchedulerWorkloads.pingPong(on), procs);
  }
}
