package io.heddle.stress.soak;

import io.heddle.Goroutine;
import io.heddle.Scheduler;
import io.heddle.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The goroutines that a step starts on any of the schedulers. Only the thread that runs the step
 * uses it.
 */
final class Crew {
  private final Worker boss;
  private final List<Goroutine> members = new ArrayList<>();
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();

  Crew(Worker boss) {
    this.boss = boss;
  }

  /** Starts a goroutine on any scheduler. */
  Goroutine go(Task task) {
    return go(boss.anyScheduler(), task);
  }

  Goroutine go(Scheduler scheduler, Task task) {
    Goroutine g = scheduler.go(() -> run(task));
    members.add(g);
    return g;
  }

  private void run(Task task) {
    try {
      task.run();
    } catch (Throwable t) {
      if (!thrown.compareAndSet(null, t)) {
        boss.world.tally.failed(boss.toString(), t);
      }
    }
  }

  /** Waits for all goroutines; throws the first failure. */
  void await() throws Exception {
    for (Goroutine member : members) {
      member.join();
    }
    if (thrown.get() != null) {
      throw new AssertionError(thrown.get().toString(), thrown.get());
    }
  }

  boolean isDone() {
    return members.stream().allMatch(g -> g.state() == Goroutine.State.DEAD);
  }

  List<Goroutine> members() {
    return members;
  }
}
