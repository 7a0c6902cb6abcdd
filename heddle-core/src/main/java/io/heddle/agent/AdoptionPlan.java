package io.heddle.agent;

import io.heddle.Scheduler;
import io.heddle.internal.admit.Gate;
import io.heddle.internal.jdk.VirtualThreads;
import io.heddle.internal.sched.G;
import io.heddle.internal.sched.Sched;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Chooses the scheduler of each new virtual thread, and the limit that applies to the thread. */
final class AdoptionPlan {
  /**
   * The limit of a pattern, with a gate for each scheduler whose threads it limits. The gates share
   * their places: the maximum holds for the threads of all these schedulers together. Each
   * scheduler has a gate of its own, so that it counts its own threads.
   */
  private static final class Gated {
    final Filter pattern;
    private final ThreadLimit limit;
    private final Map<Sched, Gate> gates = new ConcurrentHashMap<>();
    private @Nullable Gate first; // guarded by this

    Gated(ThreadLimit limit) {
      this.pattern = limit.pattern();
      this.limit = limit;
    }

    Gate gateOf(Sched sched) {
      Gate known = gates.get(sched);
      return known == null ? gates.computeIfAbsent(sched, this::open) : known;
    }

    private synchronized Gate open(Sched sched) {
      Gate opened = first == null ? limit.openIn(sched.gates()) : first.sharedWith(sched.gates());
      first = opened;
      return opened;
    }
  }

  private final Filter filter;
  private final FilterTally tally;
  private final @Nullable Sched shared;
  private final Map<String, Sched> tenants = new HashMap<>();
  private final Map<Sched, Executor> adopters = new HashMap<>();
  private final List<Gated> limits = new ArrayList<>();

  /**
   * Makes the schedulers of the tenants. Also makes the shared scheduler, if the filter may select
   * threads for it.
   */
  AdoptionPlan(Filter filter, List<ThreadLimit> limits) {
    this.filter = filter;
    this.tally = new FilterTally(filter);
    for (Tenant tenant : filter.tenants().values()) {
      tenants.computeIfAbsent(tenant.name(), _ -> Sched.of(tenant.open()));
    }
    shared = filter.coversMoreThanTenants() ? Sched.of(Scheduler.shared()) : null;
    tenants.values().forEach(sched -> adopters.put(sched, sched.adopter()));
    if (shared != null) {
      adopters.put(shared, shared.adopter());
    }
    limits.forEach(limit -> this.limits.add(new Gated(limit)));
    if (adopters.size() == 1) { // so that the figures of the limits show from the start
      this.limits.forEach(limit -> limit.gateOf(adopters.keySet().iterator().next()));
    }
  }

  /** Says at the end of the program if the filter has matched no thread. */
  void reportAtExit() {
    tally.reportAtExit();
  }

  /**
   * Returns the executor that runs the new virtual thread {@code name}, or null to leave the choice
   * to the JDK. Called on the thread that creates the new one. The JDK's choice is the executor of
   * the creator, or the JDK's default executor if the creator has none. If the creator runs on a
   * scheduler that the program has made, the JDK must choose. If the creator is an adopted
   * goroutine, the new thread stays on the creator's scheduler, unless the pattern that matches the
   * new thread names another scheduler.
   */
  @Nullable Executor choose(@Nullable String name) {
    if (name != null && VirtualThreads.isOfTheJdk(name)) {
      return null;
    }
    Sched creators = null;
    if (VirtualThreads.hasOwnScheduler(Thread.currentThread())) {
      G creator = tenants.isEmpty() && limits.isEmpty() ? null : Sched.current();
      if (creator == null || !creator.sched().isAdopter()) {
        return null;
      }
      creators = creator.sched();
    }
    String pattern = filter.match(name);
    tally.record(pattern, name);
    Sched sched = schedOf(pattern, creators);
    if (sched == null) {
      return null;
    }
    for (Gated limit : limits) {
      if (limit.pattern.wants(name)) {
        return sched.adopter(limit.gateOf(sched));
      }
    }
    return sched == creators ? null : adopters.get(sched);
  }

  /**
   * Returns the scheduler for a new thread; null if the thread is not adopted.
   *
   * @param pattern the pattern that matches the thread; null if none does
   * @param creators the scheduler of the adopted goroutine that creates the thread; null if another
   *     thread creates it
   */
  private @Nullable Sched schedOf(@Nullable String pattern, @Nullable Sched creators) {
    Tenant tenant = pattern == null ? null : filter.tenants().get(pattern);
    if (tenant != null) {
      return tenants.get(tenant.name());
    }
    if (creators != null) {
      return creators;
    }
    return pattern == null ? null : shared;
  }
}
