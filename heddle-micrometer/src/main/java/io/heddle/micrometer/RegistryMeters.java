package io.heddle.micrometer;

import io.heddle.ContainerStats;
import io.heddle.Scheduler;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meters of all schedulers in one registry. */
final class RegistryMeters {
  private final MeterRegistry registry;
  private final Tags tags;

  // Guarded by this. The registry is called without the lock, because it may call foreign code.
  private final Map<Scheduler, SchedulerMeters> open = new HashMap<>();
  private boolean closed;

  private Runnable stop = () -> {};
  private List<Meter> container = List.of();

  private RegistryMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  static RegistryMeters follow(MeterRegistry registry, Tags tags) {
    RegistryMeters meters = new RegistryMeters(registry, tags);
    meters.container();
    meters.stop = Scheduler.watch(meters::opened, meters::closed);
    return meters;
  }

  void close() {
    stop.run();
    SchedulerMeters[] all;
    synchronized (this) {
      closed = true;
      all = open.values().toArray(SchedulerMeters[]::new);
      open.clear();
    }
    for (SchedulerMeters meters : all) {
      meters.remove();
    }
    container.forEach(registry::remove);
  }

  /** The container is that of the process, so its meters have no tag of a scheduler. */
  private void container() {
    container =
        List.of(
            Gauge.builder("heddle.container.cpus", () -> ContainerStats.read().cpus())
                .description("CPUs that the container may use; 0: no limit.")
                .tags(tags)
                .register(registry),
            FunctionCounter.builder(
                    "heddle.container.throttled.seconds",
                    this,
                    _ -> ContainerStats.read().throttledNanos() / 1e9)
                .description("How long CPUs stood still because of that limit.")
                .tags(tags)
                .register(registry));
  }

  private void opened(Scheduler scheduler) {
    SchedulerMeters meters = add(scheduler);
    if (meters != null) {
      meters.register();
    }
  }

  private void closed(Scheduler scheduler) {
    SchedulerMeters meters;
    synchronized (this) {
      meters = open.remove(scheduler);
    }
    if (meters != null) {
      meters.remove();
    }
  }

  private synchronized @Nullable SchedulerMeters add(Scheduler scheduler) {
    if (closed) {
      return null;
    }
    String label = scheduler.name();
    for (int n = 2; isTaken(label); n++) {
      label = scheduler.name() + "#" + n;
    }
    SchedulerMeters meters =
        new SchedulerMeters(registry, scheduler, label, tags.and("scheduler", label));
    open.put(scheduler, meters);
    return meters;
  }

  private boolean isTaken(String label) {
    return open.values().stream().anyMatch(meters -> meters.label().equals(label));
  }
}
