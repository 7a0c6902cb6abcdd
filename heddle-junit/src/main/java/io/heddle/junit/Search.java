package io.heddle.junit;

import io.heddle.Bubble;
import io.heddle.DeadlockException;
import io.heddle.Task;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tries seeds until one fails. */
final class Search {
  private static final AtomicBoolean NOTED = new AtomicBoolean();

  private final HeddleTest test;
  private final boolean explored;
  private final Task body;

  Search(HeddleTest test, boolean explored, Task body) {
    this.test = test;
    this.explored = explored;
    this.body = body;
  }

  void all(int seeds) throws Throwable {
    for (long seed = 1; seed <= seeds; seed++) {
      Bubble.Outcome outcome = run(seed);
      if (outcome.failure() != null) {
        throw failed(outcome, run(seed), seed + " of " + seeds + " tried");
      }
    }
  }

  void alone(long seed) throws Throwable {
    Bubble.Outcome outcome = run(seed);
    if (outcome.failure() != null) {
      throw failed(outcome, outcome, "the only one tried");
    }
  }

  private Bubble.Outcome run(long seed) {
    Bubble.Outcome outcome =
        Bubble.of(seed).maxSteps(test.maxSteps()).leftovers(test.leftovers()).run(body);
    if (outcome.outside() > 0 && NOTED.compareAndSet(false, true)) {
      System.err.println("heddle: " + outside(outcome) + " (reported once)");
    }
    return outcome;
  }

  private Throwable failed(Bubble.Outcome first, Bubble.Outcome again, String tried) {
    Throwable failure = Objects.requireNonNull(first.failure());
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(first.seed()).append(" (").append(tried).append("): ");
    text.append(failure.getMessage() == null ? failure : failure.getMessage());
    if (failure instanceof DeadlockException deadlock) {
      text.append("\n\n").append(deadlock.dump());
    }
    text.append("\nTo run it again: -Dheddle.seed=").append(first.seed());
    text.append(", or @HeddleTest(seed = ").append(first.seed()).append(")");
    if (first.outside() > 0) {
      text.append("\n").append(outside(first));
    } else if (first.trail() != again.trail()) {
      text.append(
          "\nWhen it was run again at once, it took another way: something outside the test"
              + " takes part (a static field, a hash code, the real time, random numbers).");
    }
    if (!explored) {
      text.append(
          "\nWithout -javaagent:heddle.jar goroutines switch only where Heddle or the JDK"
              + " makes them wait, and Thread.sleep takes real time.");
    }
    return new SeedFailure(text.toString(), failure);
  }

  private static String outside(Bubble.Outcome outcome) {
    return "seed "
        + outcome.seed()
        + " depends on threads outside, which woke goroutines "
        + outcome.outside()
        + " times: another run may differ.";
  }
}
