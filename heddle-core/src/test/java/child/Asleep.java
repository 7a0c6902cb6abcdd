package child;

import static io.heddle.Select.recv;
import static io.heddle.Select.select;

import io.heddle.Chan;
import io.heddle.DeadlockException;
import io.heddle.Go;
import io.heddle.Goroutine;
import java.time.Duration;

/** Programs in which every goroutine is asleep, or seems to be. In a JVM of their own: nobody else may be there. */
public final class Asleep {
  private static final Chan<String> MADE_OUTSIDE = Chan.make();

  private Asleep() {}

  public static void main(String[] args) throws Exception {
    try {
      Go.main(() -> run(args[0]));
      System.out.println("ended");
    } catch (DeadlockException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void run(String what) throws Exception {
    Chan<String> c = Chan.make();
    switch (what) {
      case "receive" -> c.receive();
      case "select" -> select(recv(c), recv(Chan.<Integer>make()));
      case "no cases" -> select();
      case "join" -> {
        Goroutine g = Go.go("sender", () -> c.send("nobody wants it"));
        g.join();
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
                    Chan.make(1).send(1); // so it is known
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
      default -> throw new IllegalArgumentException(what);
    }
  }
}
