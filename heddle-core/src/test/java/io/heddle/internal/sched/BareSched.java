package io.heddle.internal.sched;

import io.heddle.Await;
import io.heddle.internal.inspect.Inspector;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** A scheduler without the public API, with settings that only tests change. */
public final class BareSched implements AutoCloseable {
  final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private int procs = 2;
  private int maxThreads = SchedConfig.MAX_THREADS;
  private long timeSlice = Duration.ofHours(1).toNanos(); // so that sysmon takes no P by force
  private long idleTime = SchedConfig.IDLE_TIME_NANOS;
  private Consumer<Thread> starter = Thread::start;
  private Sched sched;

  public BareSched procs(int n) {
    procs = n;
    return this;
  }

  BareSched maxThreads(int n) {
    maxThreads = n;
    return this;
  }

  BareSched timeSlice(Duration slice) {
    timeSlice = slice.toNanos();
    return this;
  }

  BareSched idleTime(long nanos) {
    idleTime = nanos;
    return this;
  }

  BareSched starter(Consumer<Thread> starter) {
    this.starter = starter;
    return this;
  }

  public BareSched open() {
    SchedConfig config =
        new SchedConfig(
            "bare",
            procs,
            maxThreads,
            timeSlice,
            idleTime,
            true,
            false,
            0,
            false,
            starter,
            (in, thread, _) -> new BareG(in, thread),
            (g, e) -> uncaught.add(e));
    sched = new Sched(config, this, Inspector::new);
    return this;
  }

  public Sched sched() {
    return sched;
  }

  public BareG go(Runnable task) {
    BareG g = newG(task);
    sched.start(g);
    return g;
  }

  BareG newG(Runnable task) {
    return new BareG(sched, task);
  }

  boolean isIdle() {
    SchedCounters counters = SchedCounters.of(sched);
    return counters.idleProcs() == sched.procs()
        && counters.idleThreads() == counters.threads()
        && counters.spinningThreads() == 0;
  }

  public void awaitIdle() {
    Await.until(this::isIdle);
  }

  @Override
  public void close() {
    sched.closing().close(() -> sched.registry().forEach(g -> g.thread().interrupt()));
  }

  /** A goroutine that runs a task. */
  public static final class BareG extends G {
    private final Runnable task;

    public BareG(Sched sched, Runnable task) {
      super(sched, null, null);
      this.task = task;
    }

    BareG(Sched sched, Thread thread) {
      super(sched, thread);
      this.task = () -> {};
    }

    @Override
    public void run() {
      task.run();
    }

    public void join() throws InterruptedException {
      thread.join();
    }
  }
}
