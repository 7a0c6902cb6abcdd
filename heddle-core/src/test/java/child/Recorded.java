package child;

import io.heddle.Chan;
import io.heddle.DeadlockException;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Scheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Does what the flight recorder records: a hand-off, a long wait and a deadlock. With a file as
 * argument the program records itself, starting long after the scheduler.
 */
public final class Recorded {
  private Recorded() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      program();
      return;
    }
    Scheduler.shared();
    SchedulerSettled.await();
    try (Recording recording = new Recording()) {
      recording.start();
      program();
      recording.dump(Path.of(args[0]));
    }
    System.out.println(FlightRecorder.isInitialized());
  }

  private static void program() throws Exception {
    try (Scheduler one = Scheduler.builder().name("one").procs(1).build()) {
      one.run(Recorded::handsOffAndWaits);
    }
    try {
      Go.main(() -> Chan.make().receive());
    } catch (DeadlockException e) {
      System.out.println("deadlock");
    }
  }

  private static void handsOffAndWaits() throws InterruptedException {
    AtomicBoolean enough = new AtomicBoolean();
    Goroutine hog = Go.go(() -> hogUntil(enough));
    Go.gosched(); // the hog runs, and keeps the P until sysmon takes it away
    Chan<String> late = Chan.make();
    Goroutine waiter = Go.current();
    Go.go(
        () -> {
          while (waiter.state() != Goroutine.State.WAITING) {
            Go.gosched();
          }
          Go.sleep(Duration.ofMillis(100));
          late.send("here");
        });
    late.receive();
    enough.set(true);
    hog.join();
  }

  private static void hogUntil(AtomicBoolean enough) {
    while (!enough.get()) {
      Thread.onSpinWait();
    }
  }
}
