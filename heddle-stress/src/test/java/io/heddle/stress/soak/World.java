package io.heddle.stress.soak;

import io.heddle.Scheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The state that all workers share for the whole run. */
final class World {
  final Plan plan;
  final Tally tally = new Tally();
  final PatientClock clock = new PatientClock();

  /**
   * Two schedulers of different numbers of Ps and slices, and the shared one, which adopts JDK
   * threads. All live through all rounds.
   */
  final List<Scheduler> schedulers;

  /** The folder for files. */
  final Path folder;

  private final Set<Plan.Flaw> flawsLeft;
  private volatile boolean over = true;

  World(Plan plan) throws Exception {
    this.plan = plan;
    this.folder = Files.createTempDirectory("soak");
    this.flawsLeft =
        plan.flaws().isEmpty() ? EnumSet.noneOf(Plan.Flaw.class) : EnumSet.copyOf(plan.flaws());
    this.schedulers =
        List.of(scheduler("narrow", 2, 10_000), scheduler("wide", 5, 1_000), Scheduler.shared());
  }

  private Scheduler scheduler(String name, int procs, int sliceMicros) {
    return Scheduler.builder()
        .name(name)
        .procs(procs)
        .timeSlice(Duration.ofNanos(1_000L * sliceMicros))
        .uncaught((g, e) -> tally.failed("uncaught in " + name, e))
        .build();
  }

  Scheduler narrow() {
    return schedulers.get(0);
  }

  Scheduler wide() {
    return schedulers.get(1);
  }

  boolean isOver() {
    return over;
  }

  void setOver(boolean now) {
    over = now;
  }

  /** Returns true on the first call. */
  boolean takeFlaw(Plan.Flaw flaw) {
    synchronized (flawsLeft) {
      return flawsLeft.remove(flaw);
    }
  }
}
