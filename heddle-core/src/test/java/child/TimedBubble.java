package child;

import io.heddle.Bubble;
import io.heddle.Go;
import java.time.Duration;

/** Prints the failure of a run in a bubble, and how many hours passed in it. */
public final class TimedBubble {
  private TimedBubble() {}

  public static void main(String[] args) {
    Bubble.Outcome outcome = Bubble.of(1).run(() -> Go.sleep(Duration.ofHours(3)));
    System.out.println(outcome.failure() + " " + outcome.elapsed().toHours());
  }
}
