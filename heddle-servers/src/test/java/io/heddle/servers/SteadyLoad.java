package io.heddle.servers;

import io.heddle.servers.LoadGenerator.Outcome;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requests that compute a little, and requests that wait, in turns until it is closed. A wrong or
 * missing answer makes {@link #close} fail.
 */
final class SteadyLoad implements AutoCloseable {
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final int PER_SECOND = 500;

  private final AtomicBoolean over = new AtomicBoolean();
  private final FutureTask<Long> all;
  private volatile int turns;

  SteadyLoad(ChildProgram program) {
    all = new FutureTask<>(() -> run(program));
    Thread.ofPlatform().start(all);
  }

  private long run(ChildProgram program) throws Exception {
    long answers = 0;
    while (!over.get()) {
      RequestSpec work = turns % 2 == 0 ? RequestSpec.SQUARE : RequestSpec.waiting(20);
      Outcome outcome =
          LoadGenerator.of(work, 50)
              .perSecond(PER_SECOND)
              .lasting(Duration.ZERO, TURN)
              .against(program.address());
      answers += outcome.answers();
      turns++;
    }
    return answers;
  }

  /** Waits until {@code n} more turns are complete. */
  void awaitTurns(int n) {
    for (int end = turns + n; turns < end && !all.isDone(); ) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() throws ExecutionException {
    over.set(true);
    try {
      if (all.get() == 0) {
        throw new AssertionError("no request was answered");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while the load ends", e);
    }
  }
}
