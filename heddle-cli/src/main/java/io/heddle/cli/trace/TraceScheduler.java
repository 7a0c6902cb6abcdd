package io.heddle.cli.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A scheduler in a trace. */
public final class TraceScheduler {
  /** A goroutine that existed when the trace began. */
  record KnownGoroutine(String site, String name) {}

  final int number;
  final String name;
  final int procs;

  /**
   * The CPU time of goroutines during the trace.
   *
   * @param by their creation site, or a label
   */
  record CpuUse(String by, boolean isLabel, long nanos) {}

  final List<CpuUse> cpu = new ArrayList<>();
  boolean isCpuExact;
  final Map<Long, KnownGoroutine> living = new HashMap<>();

  /** The time at which all of those goroutines had been listed; null: never. */
  @Nullable Long settled;

  TraceScheduler(int number, String name, int procs) {
    this.number = number;
    this.name = name;
    this.procs = procs;
  }

  public String name() {
    return name;
  }
}
