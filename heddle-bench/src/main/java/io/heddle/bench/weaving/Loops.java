package io.heddle.bench.weaving;

import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The JMH benchmarks of {@link Kernels}, which {@link WeavingReport} runs with and without weaving.
 *
 * <p>Before the measurement they are preempted for a while, so that the JIT compiler has seen yield
 * checks that succeed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class Loops {
  private static final Duration PREEMPTED = Duration.ofMillis(60);

  private final Kernels kernels = new Kernels();
  private double sink;

  @Setup
  public void preempt() throws Exception {
    List<DoubleSupplier> all =
        List.of(
            this::sum,
            this::scale,
            this::matrix,
            this::sieve,
            this::collatz,
            this::hash,
            this::list,
            this::append,
            this::fib);
    try (Scheduler scheduler =
        Scheduler.builder().name("loops").procs(1).timeSlice(Duration.ofMillis(2)).build()) {
      for (DoubleSupplier kernel : all) {
        Goroutine hog = scheduler.go(() -> untilInterrupted(kernel));
        long end = System.nanoTime() + PREEMPTED.toNanos();
        scheduler.go(() -> sleepUntil(end)).join();
        hog.interrupt();
        hog.join();
      }
    }
  }

  private void untilInterrupted(DoubleSupplier kernel) {
    while (!Thread.currentThread().isInterrupted()) {
      sink += kernel.getAsDouble();
    }
  }

  private static void sleepUntil(long end) throws InterruptedException {
    while (System.nanoTime() - end < 0) {
      Go.sleep(Duration.ofMillis(1));
    }
  }

  @Benchmark
  public int sum() {
    return kernels.sum();
  }

  @Benchmark
  public double scale() {
    return kernels.scale();
  }

  @Benchmark
  public double matrix() {
    return kernels.matrix();
  }

  @Benchmark
  public int sieve() {
    return kernels.sieve();
  }

  @Benchmark
  public int collatz() {
    return kernels.collatz();
  }

  @Benchmark
  public int hash() {
    return kernels.hash();
  }

  @Benchmark
  public int list() {
    return kernels.list();
  }

  @Benchmark
  public int append() {
    return kernels.append();
  }

  @Benchmark
  public int fib() {
    return kernels.fib();
  }
}
