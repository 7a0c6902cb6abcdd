package io.heddle.bench;

import org.openjdk.jmh.annotations.Fork;

/** The JMH benchmarks with two Ps, or with two carriers of the JDK's scheduler. */
@Fork(
    value = 1,
    jvmArgsAppend = {
      SchedulerBenchmarks.OPENS,
      SchedulerBenchmarks.PARALLELISM + 2,
      SchedulerBenchmarks.MAX_POOL_SIZE + 2,
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC"
    })
public class TwoProcs extends SchedulerBenchmarks {
  public TwoProcs() {
    super(2);
  }
}
