package golang;

import io.heddle.CancelledException;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import io.heddle.Task;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Base of tests that are whole programs: an exception out of one of the goroutines that they start
 * with {@link #go} fails the test, like a panic in Go.
 */
public abstract class GoProgram extends GoTest {
  private static final Duration A_MOMENT = Duration.ofMillis(1);

  private final Set<Goroutine> started = ConcurrentHashMap.newKeySet();
  private volatile Throwable panic;

  /** Runs a program whose goroutines all end by themselves. */
  protected final void program(Task main) throws Exception {
    start(main, () -> {});
  }

  /**
   * Runs a program that ends with its main goroutine; the other goroutines are then interrupted.
   */
  protected final void endlessProgram(Task main) throws Exception {
    start(main, this::interruptAll);
  }

  protected final Goroutine go(Task task) {
    Goroutine g = Go.go(task);
    started.add(g);
    return g;
  }

  protected static void joinAll(List<Goroutine> all) throws InterruptedException {
    for (Goroutine g : all) {
      g.join();
    }
  }

  /** Yields until the condition holds. */
  protected static Goroutine untilWaiting(Goroutine g, String reason) throws InterruptedException {
    while (!g.waitReason().equals(reason)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("while that goroutine was to wait for: " + reason);
      }
      if (g.state() == Goroutine.State.DEAD) {
        throw new AssertionError("it has ended, and never waited for: " + reason);
      }
      Go.gosched();
    }
    return g;
  }

  private void start(Task main, Task atEnd) throws Exception {
    try (CheckedTrace trace = new CheckedTrace();
        Scheduler scheduler =
            Scheduler.builder().name("go").procs(procs).uncaught((g, t) -> panic(t)).build()) {
      trace.begin(scheduler);
      try {
        scheduler.run(() -> runMain(main));
        atEnd.run();
      } catch (Throwable t) {
        interruptAll();
        checkPanic();
        throw t;
      }
    }
    checkPanic();
  }

  private void runMain(Task main) throws Exception {
    started.add(Go.current());
    main.run();
  }

  private void checkPanic() {
    if (panic != null) {
      throw new AssertionError("a goroutine failed", panic);
    }
  }

  private void panic(Throwable t) {
    if (t instanceof InterruptedException || t instanceof CancelledException) {
      return;
    }
    panic = t;
    started.forEach(Goroutine::interrupt);
  }

  /** Repeats, because some may start others meanwhile. */
  private void interruptAll() throws InterruptedException {
    while (!started.isEmpty()) {
      for (Goroutine g : started) {
        g.interrupt();
        if (g.join(A_MOMENT)) {
          started.remove(g);
        }
      }
    }
  }
}
