package io.heddle.stress.soak;

import io.heddle.Scheduler;
import io.heddle.Stats;
import io.heddle.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Observes everything while it runs: dumps, figures, traces switched on and off. The JDK's own
 * {@code dumpThreads} is not used: while virtual threads start and end, it crashes the JVM, also
 * with the JDK's scheduler (JDK-8364343).
 */
final class Onlookers implements Load {
  @Override
  public void step(Worker me) throws Exception {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(me.between(20, 200)));
    Scheduler scheduler = me.anyScheduler();
    switch (me.between(0, 5)) {
      case 0 -> Expect.that(scheduler.dump() != null, "no dump");
      case 1 -> Expect.that(scheduler.dumpGrouped() != null, "no dump");
      case 2 -> trace(me, scheduler);
      case 3 -> Expect.that(!Thread.getAllStackTraces().isEmpty(), "no stacks");
      default -> figures(scheduler);
    }
    me.did(1);
  }

  @Override
  public Where where() {
    return Where.OUTSIDE;
  }

  private static void figures(Scheduler scheduler) {
    Stats before = scheduler.stats();
    Stats after = scheduler.stats();
    Expect.that(after.finished() >= before.finished(), "fewer have finished than before");
    Expect.that(after.started() >= before.finished(), "more have finished than were started");
    Expect.that(after.switches() >= before.switches(), "fewer switches than before");
    Expect.that(after.idleProcs() <= 1024 && after.goroutines() >= 0, after.toString());
  }

  private static void trace(Worker me, Scheduler scheduler) throws Exception {
    Path file = me.world.folder.resolve("soak.trace");
    try (Trace _ = scheduler.trace(file)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    Expect.that(Files.size(file) > 0, "an empty trace");
    Files.delete(file);
  }
}
