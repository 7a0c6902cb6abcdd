package child;

import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.DeadlockException;
import io.heddle.Go;
import io.heddle.Scheduler;
import io.heddle.WaitGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses background work, and prints how the priorities of its threads compare. */
public final class InBackground {
  private static final int NICE_FIELD = 16; // of /proc/PID/stat, counted after the thread name

  /**
   * Few, because the system may let a background thread wait for a second beside computing ones.
   */
  private static final int EXCHANGES = 3;

  private static final Context.Key<String> KEY = Context.Key.of("key");

  private InBackground() {}

  public static void main(String[] args) throws Exception {
    int normal = nice();
    System.out.println("background " + inBackground(InBackground::nice));
    System.out.println("normal again " + (foreground(Scheduler.shared()) == normal));
    try (Scheduler wide = Scheduler.builder().name("wide").procs(4).build()) {
      System.out.println("wide " + inBackground(() -> foreground(wide) == normal));
    }
    System.out.println(
        "made in background "
            + inBackground(
                () -> {
                  try (Scheduler made = Scheduler.builder().name("made").procs(4).build()) {
                    return foreground(made) == normal;
                  }
                }));
    System.out.println("child " + inBackground(InBackground::niceOfChild));
    System.out.println("context " + context());
    try (Scheduler batch = Scheduler.builder().name("batch").background().build()) {
      FutureTask<Integer> nice = new FutureTask<>(InBackground::nice);
      batch.go(nice::run);
      System.out.println("own " + nice.get() + " " + batch.isBackground());
    }
    System.out.println("main goroutine " + fed());
    System.out.println("main goroutine " + deadlock());
    System.out.println("messages beside computing goroutines " + messagesBesideHogs());
  }

  private static <T> T inBackground(java.util.concurrent.Callable<T> task) throws Exception {
    FutureTask<T> result = new FutureTask<>(task);
    Go.background("task", result::run);
    return result.get();
  }

  /**
   * Returns the highest nice value of the threads that run four goroutines at the same time. For
   * schedulers with four Ps, these are new threads, which the caller makes the scheduler start.
   */
  private static int foreground(Scheduler scheduler) throws InterruptedException {
    int n = Math.min(4, scheduler.procs());
    AtomicInteger running = new AtomicInteger();
    AtomicInteger highest = new AtomicInteger(Integer.MIN_VALUE);
    WaitGroup all = new WaitGroup();
    all.add(n);
    for (int i = 0; i < n; i++) {
      scheduler.go(
          () -> {
            running.incrementAndGet();
            while (running.get() < n) {
              Thread.onSpinWait();
            }
            highest.accumulateAndGet(nice(), Math::max);
            all.done();
          });
    }
    all.await();
    return highest.get();
  }

  private static int niceOfChild() throws Exception {
    FutureTask<Integer> nice = new FutureTask<>(InBackground::nice);
    Go.go(nice::run);
    return nice.get();
  }

  /** A context and its cancellation reach a background goroutine. */
  private static String context() throws Exception {
    Chan<String> seen = Chan.make();
    try (Context.Cancelable context = Context.background().withValue(KEY, "value").withCancel()) {
      context.run(
          () ->
              Go.background(
                  () -> {
                    Context mine = Context.current();
                    seen.send(String.valueOf(mine.value(KEY)));
                    mine.done().receive();
                    seen.send("cancelled");
                  }));
      String first = seen.receive();
      context.cancel();
      return first + " " + seen.receive();
    }
  }

  /** The main goroutine waits for a background goroutine that sleeps, which is no deadlock. */
  private static String fed() throws Exception {
    FutureTask<String> received =
        new FutureTask<>(
            () -> {
              Chan<String> values = Chan.make();
              Go.background(
                  () -> {
                    Go.sleep(Duration.ofMillis(300));
                    values.send("fed");
                  });
              return values.receive();
            });
    Go.main(received::run);
    return received.get();
  }

  private static String deadlock() throws Exception {
    try {
      Go.main(() -> Chan.make().receive());
      return "returned";
    } catch (DeadlockException e) {
      return "deadlocked";
    }
  }

  /** Passes values to and fro while goroutines of normal priority compute on every CPU. */
  private static int messagesBesideHogs() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    int cpus = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < 2 * cpus; i++) {
      Go.go(
          () -> {
            while (!over.get()) {
              Thread.onSpinWait();
            }
          });
    }
    Chan<Integer> to = Chan.make();
    Chan<Integer> from = Chan.make();
    Go.background(
        () -> {
          for (int value : to) {
            from.send(value + 1);
          }
        });
    FutureTask<Integer> sum = new FutureTask<>(() -> exchange(to, from));
    Go.go(sum::run);
    try {
      return sum.get();
    } finally {
      over.set(true);
    }
  }

  /** Few messages: on a busy machine a thread of low priority seldom gets a CPU. */
  private static int exchange(Chan<Integer> to, Chan<Integer> from) throws InterruptedException {
    int value = 0;
    for (int i = 0; i < EXCHANGES; i++) {
      to.send(value);
      value = from.receive();
    }
    to.close();
    return value;
  }

  /** Returns the nice value of the OS thread under the caller. */
  private static int nice() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
