package io.heddle.bench;

import org.openjdk.jmh.annotations.Fork;

/** The JMH benchmarks with one P, or with one carrier of the JDK's scheduler. */
@Fork(
    value = 1,
    jvmArgsAppend = {
      SchedulerBenchmarks.OPENS,
      SchedulerBenchmarks.PARALLELISM + 1,
      SchedulerBenchmarks.MAX_POOL_SIZE + 1,
      "-Xms2g",
      "-Xmx2g",
      "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC"
    })
public class OneProc extends SchedulerBenchmarks {
  public OneProc() {
    super(1);
  }
}
