package io.heddle;

import io.heddle.internal.sched.SchedCounters;
import java.util.List;
import java.util.Map;

/** Shows a scheduler to JMX. */
final class SchedulerBean implements SchedulerMXBean {
  private final Scheduler scheduler;

  SchedulerBean(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public String getName() {
    return scheduler.sched().name();
  }

  @Override
  public Stats getStats() {
    return scheduler.stats();
  }

  @Override
  public HandOffs getHandOffs() {
    return scheduler.handOffs();
  }

  @Override
  public List<Proc> getProcs() {
    return SchedCounters.of(scheduler.sched()).procs().stream()
        .map(
            p -> new Proc(p.number(), p.state(), p.thread(), p.goroutine(), p.queued(), p.slices()))
        .toList();
  }

  @Override
  public Map<String, Integer> getGoroutinesByState() {
    return SchedCounters.of(scheduler.sched()).byState();
  }

  @Override
  public String dump() {
    return scheduler.dump();
  }

  @Override
  public String dumpGrouped() {
    return scheduler.dumpGrouped();
  }
}
