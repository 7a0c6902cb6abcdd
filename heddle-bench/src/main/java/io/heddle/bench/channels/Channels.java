package io.heddle.bench.channels;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The JMH benchmarks of all workloads for all peers. {@link ChannelsReport} runs them with the JVM
 * flags for {@code procs}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Channels.OPS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(1)
public class Channels {
  /**
   * Operations per invocation, large enough that the start and end of an invocation do not count.
   */
  static final int OPS = 200_000;

  /** The number for the buffered workloads, which are shorter. */
  static final int ITEMS = 1_000_000;

  /**
   * Large enough that a goroutine has not finished its share before the next one starts to contend.
   */
  static final int LOCKS = 4_000_000;

  static final int LEAVES = 1_000_000;

  @Param Peer on;

  @Param({"1", "2"})
  int procs;

  private Twin twin;

  @Setup(Level.Trial)
  public void start() {
    Peer.checkFlags(procs);
    twin = on.twin(procs);
  }

  @TearDown(Level.Trial)
  public void close() {
    twin.close();
  }

  @Benchmark
  public long pingPong() throws Exception {
    return ChannelWorkload.PING_PONG.run(twin, OPS);
  }

  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public long buffered() throws Exception {
    return ChannelWorkload.BUFFERED.run(twin, ITEMS);
  }

  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public long mpmc() throws Exception {
    return ChannelWorkload.MPMC.run(twin, ITEMS);
  }

  @Benchmark
  public long select() throws Exception {
    return ChannelWorkload.SELECT.run(twin, OPS);
  }

  @Benchmark
  @OperationsPerInvocation(LOCKS)
  public long mutex() throws Exception {
    return ChannelWorkload.MUTEX.run(twin, LOCKS);
  }

  @Benchmark
  @OperationsPerInvocation(LEAVES)
  public long skynet() throws Exception {
    return ChannelWorkload.SKYNET.run(twin, LEAVES);
  }
}
