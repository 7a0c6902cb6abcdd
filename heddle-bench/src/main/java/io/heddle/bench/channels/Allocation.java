package io.heddle.bench.channels;

import io.heddle.Case;
import io.heddle.Chan;
import io.heddle.Scheduler;
import io.heddle.Select;
import io.heddle.Task;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Single operations of Heddle in a goroutine, for JMH's gc profiler, which counts the allocated
 * bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Allocation.OPS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class Allocation {
  /**
   * Operations per invocation, large enough that the main goroutine's some hundred bytes do not
   * count.
   */
  static final int OPS = 200_000;

  private static final Integer ITEM = 1;

  @Param({"1", "2"})
  int procs;

  private Scheduler scheduler;

  @Setup(Level.Trial)
  public void start() {
    scheduler = Scheduler.builder().procs(procs).build();
  }

  @TearDown(Level.Trial)
  public void close() {
    scheduler.close();
  }

  @Benchmark
  public void trySendAndTryReceive(Blackhole hole) throws Exception {
    Chan<Integer> chan = Chan.make(Twin.CAPACITY);
    repeat(
        () -> {
          hole.consume(chan.trySend(ITEM));
          hole.consume(chan.tryReceive());
        });
  }

  @Benchmark
  public void sendAndReceiveBuffered(Blackhole hole) throws Exception {
    Chan<Integer> chan = Chan.make(Twin.CAPACITY);
    repeat(
        () -> {
          chan.send(ITEM);
          hole.consume(chan.receive());
        });
  }

  @Benchmark
  public void tryReceiveOfEmpty(Blackhole hole) throws Exception {
    Chan<Integer> chan = Chan.make(Twin.CAPACITY);
    repeat(() -> hole.consume(chan.tryReceive()));
  }

  /** A select over a send and a receive on one channel, of which at least one is always ready. */
  @Benchmark
  public void selectReady(Blackhole hole) throws Exception {
    Chan<Integer> chan = Chan.make(Twin.CAPACITY);
    Case<?>[] cases = {Select.send(chan, ITEM), Select.recv(chan)};
    repeat(() -> hole.consume(Select.select(cases)));
  }

  /** As {@link #selectReady}, but creates the cases each time. */
  @Benchmark
  public void selectReadyNewCases(Blackhole hole) throws Exception {
    Chan<Integer> chan = Chan.make(Twin.CAPACITY);
    repeat(() -> hole.consume(Select.select(Select.send(chan, ITEM), Select.recv(chan))));
  }

  /** A round trip, in which each side waits once or twice. */
  @Benchmark
  public void pingPongBlocking(Blackhole hole) throws Exception {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    scheduler.go(
        () -> {
          for (Integer v : ping) {
            pong.send(v);
          }
        });
    repeat(
        () -> {
          ping.send(ITEM);
          hole.consume(pong.receive());
        });
    ping.close();
  }

  /** As {@link #pingPongBlocking}, but one side waits in selects over two channels. */
  @Benchmark
  public void pingPongSelectBlocking(Blackhole hole) throws Exception {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    Chan<Integer> never = Chan.make();
    scheduler.go(
        () -> {
          for (Integer v : ping) {
            pong.send(v);
          }
        });
    Case<?>[] cases = {Select.recv(pong), Select.recv(never)};
    repeat(
        () -> {
          ping.send(ITEM);
          hole.consume(Select.select(cases));
        });
    ping.close();
  }

  private void repeat(Task operation) throws Exception {
    scheduler.run(
        () -> {
          for (int i = 0; i < OPS; i++) {
            operation.run();
          }
        });
  }
}
