package io.heddle.internal.sched;

import io.heddle.internal.base.Counter;
import java.util.concurrent.atomic.AtomicLong;

/** What one M notes down by itself, so that no two Ms write the same: counts, goroutines it started, and spare ids. */
final class Local {
  /** As in Go, so that the shared counter is touched seldom. */
  private static final int ID_BATCH = 16;

  final GList goroutines = new GList();
  final Counter started = new Counter();
  final Counter finished = new Counter();
  final Counter switches = new Counter();
  final Counter steals = new Counter();
  final Counter stolen = new Counter();
  final Counter parks = new Counter();
  final Counter timers = new Counter();

  private long nextId;
  private long idEnd;

  long nextId(AtomicLong ids) {
    if (nextId == idEnd) {
      nextId = ids.getAndAdd(ID_BATCH);
      idEnd = nextId + ID_BATCH;
    }
    return nextId++;
  }
}
