package child;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Bubble;
import io.heddle.Chan;
import io.heddle.Context;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Group;
import io.heddle.Mutex;
import io.heddle.Scheduler;
import io.heddle.Task;
import io.heddle.Ticker;
import io.heddle.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import jdk.jfr.Recording;

/** Uses every part of the library, and prints what it got. Needs no flag if Heddle is off. */
public final class SwitchedOff {
  private SwitchedOff() {}

  public static void main(String[] args) throws Exception {
    Go.main(SwitchedOff::use);
    try (Scheduler own = Scheduler.builder().name("own").procs(1).build()) {
      own.run(() -> say("scheduler of a goroutine", Scheduler.current() == own));
      try (ExecutorService executor = own.executor()) {
        Future<Scheduler> task = executor.submit(Scheduler::current);
        say("scheduler of a task", task.get() == own);
      }
      Thread thread = own.threadFactory().newThread(() -> say("factory", Go.current() != null));
      thread.start();
      thread.join();
      say("goroutines", own.goroutines());
    }
    recordWaits();
    missing("lockThread", Go::lockThread);
    missing("leaked", () -> Scheduler.shared().leaked());
    missing("flight", () -> Scheduler.shared().flight(Path.of("never")));
    missing("bubble", () -> Bubble.of(1).run(() -> {}));
    Scheduler.shared().trace(Path.of("never")).close();
    say("procs", Go.procs(7) == Go.procs());
    System.out.println(Scheduler.shared().dump().lines().findFirst().orElseThrow());
  }

  private static void use() throws Exception {
    Chan<Integer> squares = Chan.make();
    Go.go(
        "producer",
        () -> {
          for (int i = 1; i <= 3; i++) {
            squares.send(i * i);
          }
          squares.close();
        });
    int sum = 0;
    for (int square : squares) {
      sum += square;
    }
    say("channel", sum);
    Chan<String> never = Chan.make();
    Timer timer = new Timer(Duration.ofMillis(1));
    say("select", select(recv(never), recv(timer.fired())) != null);
    say("timer", Timer.after(Duration.ofMillis(1)).receive() != null);
    try (Ticker ticker = new Ticker(Duration.ofMillis(1))) {
      say("ticker", ticker.ticks().receive() != null);
    }
    Chan<String> ran = Chan.make();
    Timer _ = Timer.schedule(Duration.ofMillis(1), () -> sendQuietly(ran));
    say("code of a timer", ran.receive());
    try (var timeout = Context.background().withTimeout(Duration.ofMillis(1))) {
      say("context", timeout.done().receive() == null);
    }
    Go.sleep(Duration.ofMillis(1));
    say("blocking", Go.blocking(() -> "called"));
    Mutex mutex = new Mutex();
    Group group = new Group();
    int[] counter = {0};
    for (int i = 0; i < 100; i++) {
      group.go(
          () -> {
            mutex.lock();
            counter[0]++;
            mutex.unlock();
          });
    }
    group.await();
    say("mutex and group", counter[0]);
    Goroutine waiter = Go.go("waiter", () -> never.receive());
    while (!waiter.waitReason().equals("chan receive")) {
      Go.gosched();
    }
    String dump = Scheduler.shared().dump();
    say("dump", dump.contains("\"waiter\" [chan receive]:") && dump.contains("created by child."));
    never.close();
    waiter.join();
    say("state", waiter.state());
  }

  private static void sendQuietly(Chan<String> to) {
    try {
      to.send("fired");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A wait of a virtual thread that is recorded by the JDK's flight recorder. */
  private static void recordWaits() throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable("io.heddle.LongWait").withThreshold(Duration.ZERO);
      recording.start();
      Go.main(
          () -> {
            Chan<String> channel = Chan.make();
            Timer _ = Timer.schedule(Duration.ofMillis(20), () -> sendQuietly(channel));
            say("recorded wait", channel.receive());
          });
    }
  }

  private static void missing(String what, Task task) {
    try {
      Go.main(task);
      say(what, "no exception");
    } catch (Exception e) {
      say(what, e.getMessage());
    }
  }

  private static void say(String what, Object value) {
    System.out.println(what + ": " + value);
  }
}
