package io.heddle.internal.inspect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the last checks have found among the goroutines of one scheduler. */
public final class CheckResults {
  /** The ids of the goroutines in the present results, which were reported. Guarded by this. */
  private Set<Long> reported = new HashSet<>();

  private volatile List<List<StuckReport>> cycles = List.of();
  private volatile List<StuckReport> leaked = List.of();
  private volatile long leaksFoundAt;

  CheckResults() {}

  /**
   * Returns the cycles of goroutines that wait for each other. Each cycle contains a goroutine of
   * this scheduler.
   */
  public List<List<StuckReport>> cycles() {
    return cycles;
  }

  /** Returns the goroutines that wait for objects that no other thread can reach. */
  public List<StuckReport> leaked() {
    return leaked;
  }

  /** Returns the number of goroutines in {@link #cycles}. */
  public int deadlocked() {
    return cycles.stream().mapToInt(List::size).sum();
  }

  /** Returns how many seconds ago the last check for leaks set {@link #leaked}. */
  long leaksAgeSeconds() {
    return (System.nanoTime() - leaksFoundAt) / 1_000_000_000;
  }

  /** Replaces the cycles; returns the goroutines in them that were not reported before. */
  synchronized List<StuckReport> setCycles(List<List<StuckReport>> found) {
    cycles = found;
    return update(found.stream().flatMap(Collection::stream).toList(), leaked);
  }

  /** Replaces the leaked goroutines; returns those that were not reported before. */
  synchronized List<StuckReport> setLeaked(List<StuckReport> found) {
    leaked = found;
    leaksFoundAt = System.nanoTime();
    return update(found, cycles.stream().flatMap(Collection::stream).toList());
  }

  /**
   * Returns those of {@code found} that were not reported before. From now on the goroutines in
   * {@code found} and in {@code others}, the results of the other check, count as reported.
   */
  private List<StuckReport> update(List<StuckReport> found, List<StuckReport> others) {
    Set<Long> now = new HashSet<>();
    Stream.concat(found.stream(), others.stream()).forEach(g -> now.add(g.id()));
    List<StuckReport> fresh = new ArrayList<>(found);
    fresh.removeIf(g -> reported.contains(g.id()));
    reported = now;
    return fresh;
  }
}
