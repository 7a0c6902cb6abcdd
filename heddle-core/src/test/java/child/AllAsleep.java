package child;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.DeadlockException;
import io.heddle.Go;
import io.heddle.Goroutine;
import io.heddle.Group;
import io.heddle.Mutex;
import io.heddle.Once;
import io.heddle.RWMutex;
import io.heddle.Semaphore;
import io.heddle.SingleFlight;
import io.heddle.WaitGroup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Programs in which every goroutine is asleep, or seems to be. Each runs in a JVM of its own,
 * because a foreign thread in the same JVM would prevent the deadlock report.
 */
public final class AllAsleep {
  private static final Chan<String> MADE_OUTSIDE = Chan.make();
  private static final Mutex MUTEX_MADE_OUTSIDE = new Mutex();

  private AllAsleep() {}

  public static void main(String[] args) throws Exception {
    try {
      Go.main(() -> run(args[0]));
      System.out.println("ended");
    } catch (DeadlockException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void lockTwice(Mutex m) {
    m.lock();
    m.lock();
  }

  private static void unlockLate() {
    try {
      Thread.sleep(300);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    MUTEX_MADE_OUTSIDE.unlock();
  }

  private static void run(String what) throws Exception {
    Chan<String> c = Chan.make();
    switch (what) {
      case "receive" -> c.receive();
      case "select" -> select(recv(c), recv(Chan.<Integer>make()));
      case "no cases" -> select();
      case "join" -> {
        Goroutine g = Go.go("sender", () -> c.send("never received"));
        g.join();
      }
      case "mutex" -> lockTwice(new Mutex());
      case "read, then write" -> {
        RWMutex m = new RWMutex();
        m.readLock().lock();
        m.writeLock().lock();
      }
      case "write, then read" -> {
        RWMutex m = new RWMutex();
        m.writeLock().lock();
        m.readLock().lock();
      }
      case "condition" -> {
        Mutex m = new Mutex();
        m.lock();
        m.newCondition().await();
      }
      case "wait group" -> {
        WaitGroup all = new WaitGroup();
        all.add(1);
        all.await();
      }
      case "semaphore" -> {
        Semaphore one = new Semaphore(1);
        one.acquire(1);
        one.acquire(1);
      }
      case "once" -> {
        Once once = new Once();
        Goroutine first = Go.go("first", () -> once.run(c::receive));
        while (!first.waitReason().equals("chan receive")) {
          Go.gosched();
        }
        once.run(() -> {});
      }
      case "group" -> {
        try (Group group = new Group()) {
          group.go(c::receive);
          group.await();
        }
      }
      case "full group" -> {
        try (Group group = new Group().limit(1)) {
          group.go(c::receive);
          group.go(c::receive);
        }
      }
      case "single flight" -> {
        SingleFlight<String, String> flight = new SingleFlight<>();
        Goroutine first = Go.go("first", () -> flight.run("key", c::receive));
        while (!first.waitReason().equals("chan receive")) {
          Go.gosched();
        }
        flight.run("key", () -> "second");
      }
      case "mutex in time" -> {
        Mutex m = new Mutex();
        m.lock();
        if (m.tryLock(300, TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException("locked twice");
        }
      }
      case "mutex made outside" -> {
        Thread.ofPlatform().daemon().start(AllAsleep::unlockLate);
        lockTwice(MUTEX_MADE_OUTSIDE);
      }
      case "sleeper" -> {
        Go.go(
            () -> {
              Go.sleep(Duration.ofMillis(300));
              c.send("late");
            });
        c.receive();
      }
      case "outside" -> {
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Chan.make(1).send(1); // so that the scheduler knows this thread
                    Thread.sleep(300);
                    c.send("from outside");
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        Go.sleep(Duration.ofMillis(100));
        c.receive();
      }
      case "made outside" -> {
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Thread.sleep(300);
                    MADE_OUTSIDE.send("from outside");
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        MADE_OUTSIDE.receive();
      }
      case "external" -> {
        Chan<String> external = Chan.external("a device", 0);
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Thread.sleep(300);
                    external.send("from outside");
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        external.receive();
      }
      default -> throw new IllegalArgumentException(what);
    }
  }
}
