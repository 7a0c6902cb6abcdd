package io.heddle.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The JMH benchmarks with one P, or with one carrier of the JDK's scheduler. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SchedulerWorkloads.OPS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "-Djdk.virtualThreadScheduler.parallelism=1",
      "-Djdk.virtualThreadScheduler.maxPoolSize=1",
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC"
    })
public class OneProc {
  private static final int PROCS = 1;

  @Param VirtualThreadScheduler on;

  @Benchmark
  public void spawn() throws Exception {
    on.run(SchedulerWorkloads.spawn(on, 1_000), PROCS);
  }

  /**
   * The number of threads alive at once: large enough that no thread is still in a cache when its
   * turn comes.
   */
  @Benchmark
  public void spawnMany() throws Exception {
    on.run(SchedulerWorkloads.spawn(on, SchedulerWorkloads.OPS), PROCS);
  }

  @Benchmark
  @SuppressWarnings("NamedLikeContextualKeyword") // the name of the row
  public void yield() throws Exception {
    on.run(SchedulerWorkloads.yield(on), PROCS);
  }

  @Benchmark
  public void pingPong() throws Exception {
    on.run(SchedulerWorkloads.pingPong(on), PROCS);
  }
}
