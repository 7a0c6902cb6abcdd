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

/** One P, and a JDK scheduler with one carrier. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Works.OPS)
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

  @Param Contender on;

  @Benchmark
  public void spawn() throws Exception {
    on.run(Works.spawn(on, 1_000), PROCS);
  }

  /** So many at once that none is in a cache any more when its turn comes. */
  @Benchmark
  public void spawnMany() throws Exception {
    on.run(Works.spawn(on, Works.OPS), PROCS);
  }

  @Benchmark
  @SuppressWarnings("NamedLikeContextualKeyword") // the name of the row
  public void yield() throws Exception {
    on.run(Works.yield(on), PROCS);
  }

  @Benchmark
  public void pingPong() throws Exception {
    on.run(Works.pingPong(on), PROCS);
  }
}
