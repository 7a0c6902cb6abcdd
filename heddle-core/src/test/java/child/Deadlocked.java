package child;

import io.heddle.Chan;
import io.heddle.DeadlockException;
import io.heddle.Go;

/** Ends in a deadlock. With an argument, the program catches the exception. */
public final class Deadlocked {
  private Deadlocked() {}

  public static void main(String[] args) throws Exception {
    try {
      Go.main(() -> Chan.make().receive());
    } catch (DeadlockException e) {
      if (args.length == 0) {
        throw e;
      }
    }
    throw new IllegalStateException("something else");
  }
}
